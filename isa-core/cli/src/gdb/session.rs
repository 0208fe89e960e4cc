//! A session of gdb, from the connection to its end.

use core::marker::PhantomData;
use std::net::{Ipv4Addr, TcpListener};

use gdbstub::common::Signal;
use gdbstub::conn::ConnectionExt;
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, SingleThreadStopReason};
use isa_core::machine::{Ended, Executor};

use crate::CommandError;
use crate::console::Console;
use crate::profile::Profile;
use crate::simulator::Simulator;

use super::connection::GdbConnection;
use super::debugger::{Debugger, PACKET};

/// Waits for gdb at a port of this computer, and runs the loaded program as gdb commands. If gdb
/// detaches, the program continues without it.
///
/// # Errors
///
/// Returns an error if the port cannot be used, or if gdb ends the program.
pub(crate) fn debug(
    profile: &Profile,
    simulator: &Simulator,
    machine: &mut dyn Executor,
    port: u16,
    console: &mut Console<'_>,
) -> Result<Ended, CommandError> {
    let cannot = |error| {
        CommandError::System(format!("cannot listen on {}:{port}: {error}", Ipv4Addr::LOCALHOST))
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    console.note(&format!("listening on {address}"));
    let (stream, _) = listener.accept().map_err(cannot)?;
    drop(listener);

    let mut debugger = Debugger::new(profile, simulator, machine);
    let gdb = GdbStub::builder(GdbConnection::new(stream)).packet_buffer_size(PACKET).build();
    let gdb = gdb.map_err(|error| CommandError::System(error.to_string()))?;
    let end = gdb.run_blocking::<EventLoop<'_>>(&mut debugger);
    let fault = debugger.finish();
    match (end, fault) {
        (Ok(DisconnectReason::Disconnect), _) => Ok(machine.run(u64::MAX)),
        (Ok(DisconnectReason::TargetExited(_)), _) => Ok(Ok(())),
        (_, Some(fault)) => Ok(Err(fault)),
        (Ok(_), None) => {
            let next = machine.state().next();
            Err(CommandError::System(format!("gdb ended the program at {next:#x}")))
        }
        (Err(error), None) => {
            Err(CommandError::System(format!("the connection to gdb ended: {error}")))
        }
    }
}

/// Runs the program until it stops or until gdb sends a packet.
struct EventLoop<'a>(PhantomData<&'a ()>);

impl<'a> BlockingEventLoop for EventLoop<'a> {
    type Target = Debugger<'a>;
    type Connection = GdbConnection;
    type StopReason = SingleThreadStopReason<u64>;

    fn wait_for_stop_reason(
        debugger: &mut Debugger<'a>,
        connection: &mut GdbConnection,
    ) -> Result<
        Event<SingleThreadStopReason<u64>>,
        WaitForStopReasonError<core::convert::Infallible, std::io::Error>,
    > {
        loop {
            if let Some(reason) = debugger.advance() {
                if let Some(message) = debugger.fault_message() {
                    connection.print(&message).map_err(WaitForStopReasonError::Connection)?;
                }
                return Ok(Event::TargetStopped(reason));
            }
            if connection.peek().map_err(WaitForStopReasonError::Connection)?.is_some() {
                let byte = connection.read().map_err(WaitForStopReasonError::Connection)?;
                return Ok(Event::IncomingData(byte));
            }
        }
    }

    fn on_interrupt(
        _: &mut Debugger<'a>,
    ) -> Result<Option<SingleThreadStopReason<u64>>, core::convert::Infallible> {
        Ok(Some(SingleThreadStopReason::Signal(Signal::SIGINT)))
    }
}
