"""The CA: Pebble with the name server that it asks, and what counts the connections to it."""

import contextlib
import json
import os
import pathlib
import socket
import socketserver
import ssl
import subprocess
import threading
import time
import urllib.request

import processes
from servers import free_ports


class Authority:
    """Pebble, and the name server that it asks. Every name leads to this machine."""

    def __init__(self, folder: pathlib.Path, http: int):
        self.folder = folder
        self.port, self.management, names, dns = free_ports(4)
        self.log = folder / "pebble.log"
        # Of its listener.
        self.key, self.certificate = folder / "key.pem", folder / "own.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "9", "-subj", "/CN=listener", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", str(self.key), "-out", str(self.certificate)],
            check=True, stdin=subprocess.DEVNULL, capture_output=True)
        (folder / "pebble.json").write_text(json.dumps({"pebble": {
            "listenAddress": f"127.0.0.1:{self.port}",
            "managementListenAddress": f"127.0.0.1:{self.management}",
            "certificate": "own.pem", "privateKey": "key.pem", "httpPort": http, "tlsPort": 1,
            "ocspResponderURL": "", "keyAlgorithm": "ecdsa", "certificateValidityPeriod": 7_776_000,
            "retryAfter": {"authz": 1, "order": 1},
            "profiles": {"default": {"description": "d", "validityPeriod": 7_776_000}}}}))
        # Version 2.10 calls it otherwise.
        help = subprocess.run(["pebble-challtestsrv", "-help"], capture_output=True, text=True)
        is_new = "-dnsserver" in help.stdout + help.stderr
        self.start(["pebble-challtestsrv", "-dnsserver" if is_new else "-dns01", f"127.0.0.1:{dns}",
                    "-http01", "", "-https01", "", "-tlsalpn01", "", "-management",
                    f"127.0.0.1:{names}", "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "",
                    *(["-doh", ""] if is_new else [])], folder / "names.log")
        self.process = self.start(
            ["pebble", "-config", "pebble.json", "-dnsserver", f"127.0.0.1:{dns}"], self.log)
        self.roots = self.write_roots()

    def start(self, arguments: list[str], log: pathlib.Path) -> subprocess.Popen:
        with open(log, "wb") as file:
            return processes.start(
                arguments, processes.load_cores(), stdout=file, stderr=file, cwd=self.folder,
                env={**os.environ, "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_AUTHZREUSE": "0",
                     "PEBBLE_WFE_NONCEREJECT": "0"})

    def write_roots(self) -> pathlib.Path:
        """Its listener's certificate and the root of what it issues, as soon as it answers."""
        file = self.folder / "roots.pem"
        context = ssl.create_default_context(cafile=str(self.certificate))
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                url = f"https://127.0.0.1:{self.management}/roots/0"
                with urllib.request.urlopen(url, timeout=5, context=context) as answer:
                    file.write_bytes(self.certificate.read_bytes() + answer.read())
                return file
            time.sleep(0.02)
        raise RuntimeError(f"pebble does not answer: {self.log.read_text(errors='replace')[-500:]}")

    def requests(self) -> int:
        return self.lines_with("calling handler")

    def issued(self) -> int:
        return self.lines_with("Issued certificate serial")

    def lines_with(self, text: str) -> int:
        lines = self.log.read_text(errors="replace").splitlines()
        if self.process.poll() is not None:
            raise RuntimeError(f"pebble ended with {self.process.returncode}: {lines[-20:]}")
        return sum(text in line for line in lines)


class Relay(socketserver.ThreadingTCPServer):
    """Passes connections on to a port as they are, and counts them."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, to: int):
        super().__init__(("127.0.0.1", 0), None)
        self.to, self.count = to, 0
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, near: socket.socket, _) -> None:
        self.count += 1
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.to)) as far:
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(target=pass_on, args=(far, near), daemon=True)
            back.start()
            pass_on(near, far)
            back.join()


def pass_on(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while part := source.recv(65536):
            sink.sendall(part)
        sink.shutdown(socket.SHUT_WR)
