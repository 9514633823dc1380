"""The output: medians with ranges, in readable Markdown tables."""

import platform
import os
import pathlib
import re
import statistics
import subprocess
import sys

import load
import processes


def spread(values: list[float], digits: int = 2) -> str:
    """Median (lowest to highest)."""
    if not values:
        return "–"
    middle = number(statistics.median(values), digits)
    if len(values) == 1:
        return middle
    return f"{middle} ({number(min(values), digits)}–{number(max(values), digits)})"


def number(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"


def ratios(ours: list[float], theirs: list[float], digits: int = 2) -> str:
    """Taken within each round, so that what disturbs the machine disturbs both sides of it."""
    return spread([a / b for a, b in zip(ours, theirs)], digits)


def table(head: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    line = ["-" * width for width in widths]
    for row in [head, line, *rows]:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
    print(flush=True)


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def load_average() -> str:
    return ", ".join(f"{value:.2f}" for value in os.getloadavg())


def conditions(binary: str, nginx: str | None, rounds: int, seconds: float) -> None:
    """The conditions of the measurement: enough to judge the figures, nothing about the owner."""
    print(f"- machine: {processor()}, {os.cpu_count()} cores; {platform.system()} "
          f"{re.split(r'[-+]', platform.release())[0]}")
    print(f"- aasa: {first_line([binary, 'version'])}")
    print(f"- nginx: {first_line([nginx, '-v']) if nginx else missing_nginx}")
    print(f"- load: {first_line([load.WRK, '-v']) if load.WRK else missing_wrk}")
    print(f"- {first_line(['openssl', 'version'])}; Python {platform.python_version()}")
    if len(processes.cores()) > 1:
        print("- servers on one core with one thread or worker each, load on the others")
    else:
        print("- there is one core: server and load take time from each other, "
              "and only CPU time per request says something")
    print(f"- {rounds} {'round' if rounds == 1 else 'rounds'}, {seconds:g} s for each load; the servers in turns, "
          "the order turning with the round")
    print(f"- load average before: {load_average()}")
    print("- CPU: the servers' user and system time from the kernel's accounting; "
          "a ratio below 1 means that aasa takes less\n", flush=True)


missing_nginx = ("not found on PATH: there is nothing to compare with, and figures of two "
                 "machines or days say little about each other")
missing_wrk = ("wrk not found on PATH: a generator in Python drives the servers; it is slower than "
               "they are, so requests/s are its own limit and only CPU per request counts")


def first_line(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    lines = (done.stdout + done.stderr).splitlines()
    return lines[0].removesuffix(" Copyright (C) 2012 Will Glozer") if lines else "no answer"


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return " ".join(line.partition(":")[2].split())
    return platform.machine()
