"""A CA one of whose late steps fails for good: how often each server asks it, and what it says."""

import contextlib
import json
import pathlib
import ssl
import sys
import time
import urllib.request

import processes
import report
from data import host
from issuers import Issuer
from servers import free_ports

PROXY = processes.ROOT / "Tests/Tools/faultproxy.py"

# As the proxy takes them, in the sequence of an order.
STEPS = {
    "500 at the authorization": {"match": "/authZ/", "do": "500"},
    "500 at the challenge": {"match": "/chalZ/", "do": "500"},
    "500 at finalize": {"match": "/finalize-order/", "do": "500"},
    "500 at the finalized order": {"match": "/my-order/", "after": "/finalize-order/", "do": "500"},
    "500 at the certificate": {"match": "/certZ/", "do": "500"},
    "HTML at the certificate": {"match": "/certZ/", "do": "html"},
}
FAILING = [host(number) for number in range(8)]
# Added at half time. At this one nothing fails.
NINTH = host(8)

COLUMNS = ["the CA's answer", "server", "requests, worst minute", "in all", "orders",
           "certificates issued", "ninth name served after, s", "lines logged"]


def compare(servers: list[tuple[type[Issuer], str]], folder: pathlib.Path, seconds: float) -> None:
    """All at the same time: they mostly wait."""
    cases = [Case(step, kind(program, folder / f"{kind.label}-{number}", FAILING))
             for number, step in enumerate(STEPS) for kind, program in servers]
    for case in cases:
        case.server.start(f"{case.url}/dir")
    while unfinished := [case for case in cases if case.age() < seconds]:
        for case in unfinished:
            case.look()
            if case.added is None and case.age() >= seconds / 2:
                case.add()
        time.sleep(1)
    report.table(COLUMNS, [case.row() for case in cases])
    for case in cases:
        said = case.server.complaints()
        print(f"- {case.step}, {case.server.label}: {said[0] if said else 'nothing'}")
    print(flush=True)


class Case:
    """A server, not started yet, and a CA of its own behind a proxy that lets one step fail."""

    def __init__(self, step: str, server: Issuer):
        self.step, self.server = step, server
        # When the CA was asked what, except for the ninth name.
        self.asked: dict[float, str] = {}
        self.added = self.served = None
        ca, port = server.authority, free_ports(1)[0]
        self.url = f"https://127.0.0.1:{port}"
        self.context = ssl.create_default_context(cafile=str(ca.certificate))
        with open(server.folder / "proxy.log", "wb") as log:
            processes.start(
                [sys.executable, str(PROXY), str(port), str(ca.port), str(ca.certificate), str(ca.key)],
                processes.load_cores(), stdout=log, stderr=log)
        self.set({**STEPS[step], "detail": "internal error", "n": 1_000_000_000, "spare": NINTH})

    def set(self, rule: dict) -> None:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                self.ask(json.dumps([rule]).encode())
                return
            time.sleep(0.05)
        raise RuntimeError("the proxy does not answer")

    def ask(self, rules: bytes | None = None) -> dict:
        with urllib.request.urlopen(f"{self.url}/_rules", rules, 10, context=self.context) as answer:
            return json.load(answer)

    def age(self) -> float:
        return time.monotonic() - self.server.exec_time

    def add(self) -> None:
        self.added = time.monotonic()
        self.server.add(NINTH)

    def look(self) -> None:
        for _, path, what, moment in self.ask()["log"]:
            if what != "spared":
                self.asked[moment] = path
        if self.added and not self.served and NINTH in self.server.served():
            self.served = time.monotonic()

    def row(self) -> list[str]:
        moments = sorted(self.asked)
        worst = max((sum(first <= moment < first + 60 for moment in moments) for first in moments),
                    default=0)
        orders = sum(path == "/order-plz" for path in self.asked.values())
        issued = self.server.authority.issued() - (1 if self.served else 0)
        ninth = f"{self.served - self.added:.0f}" if self.served else "not"
        return [self.step, self.server.label, str(worst), str(len(moments)), str(orders), str(issued),
                ninth, str(len(self.server.complaints()))]
