"""The works: the measurements of each, round by round."""

import contextlib
import dataclasses
import itertools
import pathlib
import time
from collections import defaultdict
from typing import Callable

import load
import processes
import report
from data import LARGE, SMALL_BYTES, Site, association
from load import Kind
from servers import Aasa, Nginx, Server


@dataclasses.dataclass
class Bench:
    """The common part of all works."""

    binary: str
    nginx: str | None
    rounds: int
    seconds: float
    folder: pathlib.Path
    smoke: bool
    sites: dict[int, Site] = dataclasses.field(default_factory=dict)

    def site(self, hosts: int) -> Site:
        """Made at first use."""
        if hosts not in self.sites:
            report.progress(f"making {hosts:,} domains")
            self.sites[hosts] = Site(
                self.folder / f"site-{hosts}", hosts, large=hosts == HOSTS)
        return self.sites[hosts]

    def servers(self, site: Site, threads: int = 1, caches_files: bool = True) -> list[Server]:
        ours: list[Server] = [Aasa(self.binary, site, threads)]
        return ours + (
            [Nginx(self.nginx, site, threads, caches_files)] if self.nginx else [])

    def turns(self, servers: list[Server], at_most: int = 1_000):
        """Pairs within each round; the order alternates, so that a drift favours neither side."""
        for round in range(min(self.rounds, at_most)):
            for server in servers if round % 2 == 0 else reversed(servers):
                yield server


LOADS: dict[str, tuple[str, Kind, bool]] = {
    "plain": ("1.2 KB, 64 kept connections", Kind(), False),
    "pipelined": ("the same, 16 requests at once", Kind(depth=16), False),
    "connections": ("a new connection for each request", Kind(close=True), False),
    "tls": ("TLS 1.3, 64 kept connections", Kind(tls=True), False),
    "handshakes": ("a full TLS 1.3 handshake for each request",
                   Kind(tls=True, close=True, may_be_wrk=False), False),
    "large": ("100 KB, 16 kept connections", Kind(connections=16), True),
    "gzip": ("1.2 KB, taken as gzip", Kind(coding="gzip"), False),
}

HOSTS = 64


def under_load(bench: Bench, names: list[str]) -> None:
    """Both servers run all the time, one under load; the other sleeps."""
    site = bench.site(HOSTS)
    rows = []
    servers = bench.servers(site)
    with contextlib.ExitStack() as running:
        for server in servers:
            running.enter_context(server)
        for name in names:
            text, kind, large = LOADS[name]
            # A TLS connection is for the one host of its certificate; gzip makes sizes differ.
            one = kind.tls or kind.coding
            hosts = [LARGE] if large else site.hosts[:1] if one else site.hosts
            for server in servers:
                prove(server, kind, hosts[0])
                if not bench.smoke:
                    load.put(server, kind, hosts, 0.5)
            samples = defaultdict(list)
            for server in bench.turns(servers):
                sample = load.put(server, kind, hosts, bench.seconds)
                report.progress(f"{name}: {server.name} {sample.per_second:,.0f}/s, "
                                f"{sample.cpu_per_request:.2f} µs CPU")
                samples[server.name].append(sample)
            rows.append([name, text, *load_cells(samples["aasa"], samples["nginx"])])
    report.table(["work", "", "CPU ratio", "requests/s ratio", "aasa µs CPU/request", "nginx",
                  "aasa requests/s", "nginx", "busy: aasa, nginx"], rows)


def load_cells(ours: list[load.Sample], theirs: list[load.Sample]) -> list[str]:
    cpu = [[sample.cpu_per_request for sample in side] for side in (ours, theirs)]
    rate = [[sample.per_second for sample in side] for side in (ours, theirs)]
    busy = [report.spread([sample.busy for sample in side]).partition(" ")[0]
            for side in (ours, theirs)]
    return [report.ratios(*cpu), report.ratios(*rate), *map(report.spread, cpu),
            *(report.spread(side, 0) for side in rate), ", ".join(busy)]


def prove(server: Server, kind: Kind, host: str) -> None:
    """A fast wrong answer is worth nothing."""
    head, body = server.ask(host, kind.tls, kind.coding or "identity")
    file = server.site.file(host)
    right = head.startswith("HTTP/1.1 200 ") and (
        "content-encoding: gzip" in head.lower() if kind.coding else body == file.read_bytes())
    if not right:
        raise RuntimeError(f"{server.name} answers {host} wrongly: {head}")


def start(bench: Bench) -> None:
    """Each domain has its own file and its own certificate."""
    rows = []
    for hosts in (10, 100) if bench.smoke else (1_000, 10_000):
        site = bench.site(hosts)
        times, memory = defaultdict(list), defaultdict(list)
        for server in bench.turns(bench.servers(site), at_most=3):
            # A fresh one each time, because its ports and folder must be free.
            server = type(server)(server.program, site)
            server.start()
            try:
                times[server.name].append(server.wait(site.hosts[-1], tls=True) * 1000)
                memory[server.name].append(server.memory() / 1e6)
            finally:
                server.stop()
            report.progress(f"start, {hosts:,} domains: {server.name} "
                            f"{times[server.name][-1]:.0f} ms, {memory[server.name][-1]:.1f} MB")
        for text, values, digits in (("exec to first right answer over TLS, ms", times, 0),
                                     ("memory then, PSS, MB", memory, 1)):
            rows.append([f"start, {hosts:,} domains", text,
                         report.ratios(values["aasa"], values["nginx"], 3),
                         report.spread(values["aasa"], digits),
                         report.spread(values["nginx"], digits)])
    report.table(["work", "", "ratio", "aasa", "nginx"], rows)


def reload(bench: Bench) -> None:
    """nginx without its cache of open files: it opens the file for each request.

    One server after the other: while both run, each would read what is changed for the other.
    """
    site = bench.site(100 if bench.smoke else 10_000)
    times = defaultdict(list)
    for server in bench.servers(site, caches_files=False):
        with server:
            for round in range(bench.rounds * 2):
                host = site.hosts[round * 7 % len(site.hosts)]
                times[server.name].append(seconds_to_change(server, host) * 1000)
                report.progress(f"reload: {server.name} {times[server.name][-1]:.1f} ms")
    report.table(["work", "", "aasa", "nginx (reads the file at each request)"],
                 [["reload", f"one file of {len(site.hosts):,} renamed into place, ms until "
                   "served", *(report.spread(times[name], 1) for name in ("aasa", "nginx"))]])


versions = itertools.count(1)


def seconds_to_change(server: Server, host: str) -> float:
    file = server.site.file(host)
    content = association(host, SMALL_BYTES, next(versions))
    new = file.with_name(".new")
    new.write_bytes(content)
    begin = time.monotonic()
    new.rename(file)
    while time.monotonic() < begin + 30:
        head, body = server.ask(host)
        if not head.startswith("HTTP/1.1 200 "):
            raise RuntimeError(f"{server.name} failed while a file changed: {head}")
        if body == content:
            return time.monotonic() - begin
        time.sleep(0.001)
    raise RuntimeError(f"{server.name} did not serve a changed file within 30 s")


def memory(bench: Bench) -> None:
    """A fresh server for each row: otherwise leftovers of plain connections would be counted with TLS."""
    site = bench.site(1)
    count = 50 if bench.smoke else 1_000
    rows = []
    at_start, each, after = defaultdict(list), defaultdict(list), defaultdict(list)
    for tls in (False, True):
        kind = "TLS" if tls else "plain"
        for server in bench.turns(bench.servers(site), at_most=3):
            with type(server)(server.program, site) as server:
                first, idle, gone = connection_memory(
                    server, tls, count, Server.memory if bench.smoke else settled)
            at_start[server.name].append(first / 1e6)
            each[kind, server.name].append((idle - first) / count)
            after[kind, server.name].append((gone - first) / 1e6)
            report.progress(f"memory: {server.name} {first / 1e6:.1f} MB, per {kind} connection "
                            f"{(idle - first) / count:,.0f} B, left {(gone - first) / 1e6:.1f} MB")
    both = ("aasa", "nginx")
    rows.append(["at start, 1 domain with its certificate, MB",
                 *(report.spread(at_start[name], 1) for name in both)])
    for kind in ("plain", "TLS"):
        rows.append([f"per idle {kind} connection of {count:,}, bytes",
                     *(report.spread(each[kind, name], 0) for name in both)])
        rows.append([f"more than at start after {count:,} {kind} connections have gone, MB",
                     *(report.spread(after[kind, name], 1) for name in both)])
    report.table(["memory, PSS", *both], rows)


def connection_memory(
    server: Server, tls: bool, count: int, read: Callable[[Server], int]
) -> tuple[int, int, int]:
    """Bytes before, with, and after this many connections, each after one request."""
    host = server.site.hosts[0]
    server.ask(host, tls)
    first, files = read(server), processes.open_files(server.process.pid)
    held = []
    try:
        for _ in range(count):
            connection = server.connect(host, tls)
            held.append(connection)
            connection.sendall(
                f"HEAD / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            if not connection.recv(65536).startswith(b"HTTP/1.1 "):
                raise RuntimeError(f"{server.name} gave no answer on connection {len(held)}")
        idle = read(server)
    finally:
        for connection in held:
            connection.close()
    until = time.monotonic() + 10
    while processes.open_files(server.process.pid) > files and time.monotonic() < until:
        time.sleep(0.02)
    return first, idle, read(server)


def settled(server: Server) -> int:
    """Memory is given back some time later: until three readings are the same."""
    time.sleep(0.3)
    readings = [server.memory()]
    while readings[-3:] != [readings[-1]] * 3 and len(readings) < 12:
        time.sleep(0.15)
        readings.append(server.memory())
    return readings[-1]


def cores(bench: Bench) -> None:
    """Throughput of two loops against one, two cores for the server and the others for load."""
    available = len(processes.cores())
    if available < 4 or not load.WRK:
        why = (f"{available} cores, and 4 are needed: two for the server, two for the load"
               if available < 4 else "it takes wrk: one in Python is slower than one loop")
        print(f"cores: not measured here ({why})\n", flush=True)
        return
    site = bench.site(HOSTS)
    rates = defaultdict(list)
    for round in range(bench.rounds):
        for server in bench.servers(site) + bench.servers(site, threads=2):
            with server:
                sample = load.put(server, Kind(), site.hosts, bench.seconds)
                rates[server.name, server.threads].append(sample.per_second)
                report.progress(f"cores: {server.name} with {server.threads}: "
                                f"{sample.per_second:,.0f}/s")
    rows = [[name, report.ratios(rates[name, 2], rates[name, 1]),
             report.spread(rates[name, 1], 0), report.spread(rates[name, 2], 0)]
            for name in ("aasa", "nginx") if rates[name, 1]]
    report.table(["cores", "2 threads to 1", "requests/s with 1", "with 2"], rows)


OTHERS: dict[str, tuple[str, Callable[[Bench], None]]] = {
    "start": ("from exec to the first right answer, and memory then", start),
    "reload": ("from a file's change until it is served", reload),
    "memory": ("at start, for each idle connection, after they have gone", memory),
    "cores": ("throughput of two threads against one", cores),
}
