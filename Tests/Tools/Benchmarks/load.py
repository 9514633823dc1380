"""Load on a server: by wrk where there is one, by `generator.py` otherwise."""

import dataclasses
import json
import math
import pathlib
import re
import shutil
import sys

import processes
from data import PATH
from servers import ADDRESSES, Server

HERE = pathlib.Path(__file__).resolve().parent
WRK = shutil.which("wrk")


@dataclasses.dataclass(frozen=True)
class Kind:
    """The behaviour of the clients."""

    connections: int = 64
    depth: int = 1
    tls: bool = False
    close: bool = False
    coding: str = ""
    # wrk resumes TLS sessions on new connections; a full handshake each time takes the other.
    may_be_wrk: bool = True


@dataclasses.dataclass(frozen=True)
class Sample:
    per_second: float
    # Server time, user and system, in microseconds.
    cpu_per_request: float
    # The share of one core: far below 1, the generator was the limit.
    busy: float


def put(server: Server, kind: Kind, hosts: list[str], seconds: float) -> Sample:
    """Fails when an answer is not 200."""
    arguments = (wrk_arguments if WRK and kind.may_be_wrk else generator_arguments)(
        server, kind, hosts, seconds)
    before = server.cpu_seconds()
    output = processes.run(
        arguments, processes.load_cores(server.threads), timeout=seconds + 30)
    cpu = server.cpu_seconds() - before
    count, wall = (wrk_result if arguments[0] == WRK else generator_result)(output)
    if count == 0:
        raise RuntimeError(f"{server.name} answered nothing: {output}")
    return Sample(count / wall, cpu / count * 1e6, cpu / wall)


def wrk_arguments(server: Server, kind: Kind, hosts: list[str], seconds: float) -> list[str]:
    scheme, port = ("https", server.https) if kind.tls else ("http", server.http)
    # Each thread of wrk.lua takes another address; one is enough where connections are kept.
    threads = len(ADDRESSES) if kind.close else server.threads
    # wrk knows whole seconds only.
    return [WRK or "", "-t", str(threads), "-c", str(kind.connections),
            "-d", f"{max(1, math.ceil(seconds))}s",
            "-s", str(HERE / "wrk.lua"), f"{scheme}://127.0.0.1:{port}{PATH}", "--", PATH,
            str(kind.depth), "close" if kind.close else "keep", kind.coding or "-", *hosts]


def wrk_result(output: str) -> tuple[int, float]:
    if wrong := re.search(r"Non-2xx.*|Socket errors: .*(?:connect|read|write) [1-9].*", output):
        raise RuntimeError(f"load failed: {wrong[0]}")
    found = re.search(r"(\d+) requests in ([\d.]+)(us|ms|s|m),", output)
    if not found:
        raise RuntimeError(f"wrk printed no result: {output}")
    unit = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60}[found[3]]
    return int(found[1]), float(found[2]) * unit


def generator_arguments(
    server: Server, kind: Kind, hosts: list[str], seconds: float
) -> list[str]:
    return [sys.executable, str(HERE / "generator.py"), "--path", PATH,
            "--port", str(server.https if kind.tls else server.http),
            "--connections", str(kind.connections), "--depth", str(kind.depth),
            "--seconds", str(seconds), *(["--coding", kind.coding] if kind.coding else []),
            *(["--tls"] if kind.tls else []), *(["--close"] if kind.close else []),
            "--hosts", *hosts]


def generator_result(output: str) -> tuple[int, float]:
    result = json.loads(output)
    return result["requests"], result["seconds"]
