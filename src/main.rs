//! The command line: see `lockstep --help`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
