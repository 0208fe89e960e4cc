//! The parser and the printer of one lane, for a given lane format.

use isa_core::text::{Cursor, Line, OperandError};
use isa_half::{LANE_BUFFER, LANE_TEXT_MAX, LaneError, bf16, f16, parse_lane, write_lane};

/// The length of the longest text of a lane in bytes.
pub(super) const MAX_LEN: usize = LANE_TEXT_MAX;

/// The value that selects bfloat16. Any other value selects half precision.
const BF16: u64 = 1;

pub(super) fn read(cursor: &mut Cursor<'_>, format: u64) -> Result<u16, OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let text = token(cursor.rest());
    cursor.seek(start + text.len());
    let lane = match format {
        BF16 => parse_lane::<bf16>(text),
        _ => parse_lane::<f16>(text),
    };
    lane.map_err(|error| cursor.fault(start, message(error, format)))
}

pub(super) fn write(lane: u16, format: u64, line: &mut Line) {
    line.push_with(|text: &mut [u8; LANE_BUFFER]| match format {
        BF16 => write_lane(bf16::from_bits(lane), text),
        _ => write_lane(f16::from_bits(lane), text),
    });
}

/// Returns the bytes that form a number token: an optional sign, followed by letters, digits and
/// points. A second sign is possible only after the `e` of an exponent.
fn token(text: &[u8]) -> &[u8] {
    let sign = usize::from(matches!(text, [b'+' | b'-', ..]));
    let mut before = b' ';
    let taken = text.iter().skip(sign).take_while(|&&byte| {
        let is_sign = matches!(byte, b'+' | b'-') && matches!(before, b'e' | b'E');
        before = byte;
        is_sign || byte.is_ascii_alphanumeric() || byte == b'.'
    });
    text.get(..sign + taken.count()).unwrap_or(text)
}

/// Returns the message for a lane's error as a static string.
#[cold]
fn message(error: LaneError, format: u64) -> &'static str {
    match (error, format) {
        (LaneError::Empty, _) => "expected a number",
        (LaneError::HexDigits, _) => "expected four hex digits, such as `0x3c00`",
        (LaneError::TooLarge { .. }, BF16) => {
            "too large for bf16, whose largest value is 3.3895313892515355e38: \
             write `+INF` or `-INF` for infinity"
        }
        (LaneError::TooLarge { .. }, _) => {
            "too large for f16, whose largest value is 65504: \
             write `+INF` or `-INF` for infinity"
        }
        _ => "expected a decimal number, `+INF`, `-INF`, `+QNAN`, `-QNAN` or `0x3c00`",
    }
}
