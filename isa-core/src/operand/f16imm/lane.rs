//! The parser and the printer of one lane, for a given lane format.

use crate::half2::{self, LANE_ROOM, LANE_TEXT_MAX, LaneError, bf16, f16};
use crate::text::{Cursor, Line, OperandError};

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
        BF16 => half2::parse_lane::<bf16>(text),
        _ => half2::parse_lane::<f16>(text),
    };
    lane.map_err(|error| cursor.fault(start, message(error, format)))
}

pub(super) fn write(lane: u16, format: u64, line: &mut Line) {
    line.push_with(|text: &mut [u8; LANE_ROOM]| match format {
        BF16 => half2::write_lane_into(bf16::from_bits(lane), text),
        _ => half2::write_lane_into(f16::from_bits(lane), text),
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
        (LaneError::Empty, _) => "a number is missing here",
        (LaneError::HexDigits, _) => "the bits of a lane are four hex digits: `0x3c00`",
        (LaneError::TooLarge { .. }, BF16) => {
            "too large for bf16, whose largest value is 3.3895313892515355e38; \
             infinity is written `+INF` or `-INF`"
        }
        (LaneError::TooLarge { .. }, _) => {
            "too large for f16, whose largest value is 65504; \
             infinity is written `+INF` or `-INF`"
        }
        _ => "not a number: write a decimal, `+INF`, `-INF`, `+QNAN`, `-QNAN` or `0x3c00`",
    }
}
