"""Clients that ask without a pause, over kept and new connections, with and without TLS."""

import random
import re
import socket
import ssl
import threading
import time

from oracle_model import ABSENT


class Closed(Exception):
    """The server closed a kept connection before it answered, as it may."""


class Connection:
    def __init__(self, port, context=None, name=None):
        self.peer = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        if context:
            try:
                self.peer = context.wrap_socket(self.peer, server_hostname=name)
            except BaseException:
                self.peer.close()
                raise

    def ask(self, host, path="/.well-known/apple-app-site-association"):
        """The status and the body."""
        request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
        try:
            self.peer.sendall(request)
            while b"\r\n\r\n" not in self.rest:
                self.more()
        except (ConnectionError, ssl.SSLEOFError):
            if self.rest:
                raise
            raise Closed from None
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        length = int(re.search(rb"\r\nContent-Length: (\d+)", head)[1])
        while len(self.rest) < length:
            self.more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return int(head.split(b" ", 2)[1]), body

    def more(self):
        more = self.peer.recv(65536)
        if not more:
            raise ConnectionError("closed")
        self.rest += more

    def close(self):
        self.peer.close()


def version(status, body):
    """An answer as the model names it."""
    mark = re.search(rb"com\.example\.([\w-]+)", body) if status == 200 else None
    return mark[1].decode() if mark else str(status)


class Clients:
    """Threads that request the hosts of the domains folder, with TLS for those of `certificates`."""

    def __init__(self, ports, domains, certificates, authority, record, seed, pause):
        self.ports, self.domains, self.certificates = ports, domains, certificates
        self.record, self.pause = record, pause
        self.is_stopping = False
        self.restarts = 0  # counts the beginning and the end of each
        # A client that gets half a chain, or an untrusted certificate, notices.
        self.context = ssl.create_default_context(cafile=authority)
        self.threads = []
        kinds = [self.plain_kept] * 2 + [self.plain_new] * 2 + [self.secure_new] * 2
        for index, kind in enumerate(kinds + [self.secure_kept] * 2):
            chance = random.Random(f"{seed}-{index}")
            self.threads.append(threading.Thread(target=self.run, args=(kind, chance), daemon=True))

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.is_stopping = True
        for thread in self.threads:
            thread.join(60)

    def run(self, kind, chance):
        hosts = list(self.domains if kind in (self.plain_kept, self.plain_new) else self.certificates)
        state = {}
        while not self.is_stopping:
            chance.shuffle(hosts)
            for host in hosts:
                restarts = self.restarts
                try:
                    kind(host, state)
                except Closed:
                    self.record.operation("connections closed by the server")
                except Exception as error:  # whatever it is, it is not an answer
                    if restarts % 2 or restarts != self.restarts:
                        self.record.operation("connections lost to a restart")
                        time.sleep(0.05)
                        continue
                    self.record.answer("connections", f"{host}: {kind.__name__}: {error!r}")
                time.sleep(self.pause)

    def judged(self, connection, host):
        start = time.monotonic()
        answer = version(*connection.ask(host))
        self.domains[host].judge(answer, start, time.monotonic())

    def plain_kept(self, host, state):
        connection = state.pop("connection", None) or Connection(self.ports["http"])
        self.judged(connection, host)
        state["connection"] = connection

    def plain_new(self, host, state):
        connection = Connection(self.ports["http"])
        self.judged(connection, host)
        connection.close()

    def handshake(self, host):
        """A connection whose certificate was judged; None when there is none for the host."""
        start = time.monotonic()
        connection, answer = None, ABSENT
        try:
            connection = Connection(self.ports["https"], self.context, host)
            answer = connection.peer.getpeercert()["serialNumber"]
        except ssl.SSLCertVerificationError as error:
            answer = f"untrusted ({error.verify_message})"
        except ssl.SSLError as error:
            if "UNRECOGNIZED_NAME" not in str(error).upper():
                raise
        self.certificates[host].judge(answer, start, time.monotonic())
        return connection

    def secure_new(self, host, state):
        connection = self.handshake(host)
        if connection:
            self.judged(connection, host)
            connection.close()

    def secure_kept(self, host, state):
        connection = state.pop(host, None) or self.handshake(host)
        if connection:
            self.judged(connection, host)
            # Now and then a new one.
            if random.random() < 0.98:
                state[host] = connection
            else:
                connection.close()
