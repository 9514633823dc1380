"""Child processes: each started on its own core, measured while it runs, and always ended."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]

started: list[subprocess.Popen] = []


def built() -> str:
    """The program, of a release build."""
    build = ["swift", "build", "--configuration", "release", "--product", "aasa"]
    subprocess.run(build, cwd=ROOT, check=True, stdout=sys.stderr)
    folder = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.strip()
    return f"{folder}/aasa"


def cores() -> list[int]:
    return sorted(os.sched_getaffinity(0))


@contextlib.contextmanager
def pinned(to: set[int]):
    """Children inherit these cores. Not with `taskset`, whose exec would count as start."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, to)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def server_cores(count: int = 1) -> set[int]:
    """The first cores; all of them where there is one only."""
    return set(cores()[:count])


def load_cores(servers: int = 1) -> set[int]:
    """The remaining cores: the load generator must not take time from the measured program."""
    return set(cores()[servers:]) or set(cores())


def start(arguments: list[str], on: set[int], **options) -> subprocess.Popen:
    """A session of its own, so that all its descendants are found and ended together."""
    with pinned(on):
        process = subprocess.Popen(
            arguments, start_new_session=True, stdin=subprocess.DEVNULL, **options)
    started.append(process)
    return process


def run(arguments: list[str], on: set[int], timeout: float) -> str:
    """Its output, when it ends well within the time."""
    process = start(
        arguments, on, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{arguments[0]} did not end within {timeout:.0f} s") from None
    finally:
        end(process)
    if process.returncode != 0:
        raise RuntimeError(f"{arguments[0]} ended with {process.returncode}: {output.strip()}")
    return output


def end(process: subprocess.Popen, patience: float = 3) -> None:
    """Asks the whole session to end, then ends it."""
    if process not in started:
        return
    if process.returncode is None:
        # Not reaped before the second signal: until then the number names no other session.
        signal_session(process, signal.SIGTERM)
        until = time.monotonic() + patience
        how = os.WEXITED | os.WNOWAIT | os.WNOHANG
        while os.waitid(os.P_PID, process.pid, how) is None and time.monotonic() < until:
            time.sleep(0.005)
        signal_session(process, signal.SIGKILL)
        process.wait()
    started.remove(process)


def end_all() -> None:
    for process in list(started):
        end(process, patience=0.5)


def signal_session(process: subprocess.Popen, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def members(session: int) -> list[int]:
    """The processes of a session: the first one and all its descendants."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
            # The name in parentheses may hold anything; state, parent, group, session follow it.
            fields = file.read().rpartition(")")[2].split()
            if fields[0] != "Z" and int(fields[3]) == session:
                found.append(int(name))
    return found


def cpu_seconds(session: int) -> float:
    """User and system time from the kernel's accounting, to the nanosecond."""
    total = 0.0
    for pid in members(session):
        # clock_getcpuclockid(3), which Python has for no other process: CPUCLOCK_SCHED of the pid.
        with contextlib.suppress(OSError):
            total += time.clock_gettime((~pid << 3) | 2)
    return total


def proportional_bytes(session: int) -> int:
    """PSS: a page that n processes share counts 1/n for each."""
    total = 0
    for pid in members(session):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total


def open_files(session: int) -> int:
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in members(session))
