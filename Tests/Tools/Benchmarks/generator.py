"""A load generator for machines without wrk: one thread, plain or TLS, kept or new connections.

It prints one line of JSON. Slower than a server it leaves that idle for a part of the time: then
requests per second say how fast the generator is, and only CPU time per request says something
of the server.
"""

import argparse
import itertools
import json
import select
import socket
import ssl
import time


class Failure(Exception):
    pass


class Client:
    def __init__(self, options: argparse.Namespace):
        self.port, self.tls, self.name = options.port, options.tls, options.hosts[0]
        # No session is kept: each handshake is a full one.
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        close = "Connection: close\r\n" if options.close else ""
        coding = f"Accept-Encoding: {options.coding}\r\n" if options.coding else ""
        self.requests = itertools.cycle(
            [f"GET {options.path} HTTP/1.1\r\nHost: {host}\r\n{coding}{close}\r\n".encode()
             * options.depth for host in options.hosts])
        self.depth = options.depth

    def connect(self) -> socket.socket:
        plain = socket.create_connection(("127.0.0.1", self.port), 10)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.tls:
            return plain
        return self.context.wrap_socket(plain, server_hostname=self.name)

    def answer_size(self) -> int:
        """All answers to these requests have the same size: they are counted by their bytes."""
        with self.connect() as connection:
            connection.sendall(next(self.requests))
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += receive(connection)
        head, _, _ = answer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise Failure(head.decode("latin-1"))
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                return len(head) + 4 + int(value)
        raise Failure("an answer has no Content-Length")

    def new_connections(self, seconds: float) -> int:
        """One after the other, each with one request."""
        count = 0
        until = time.monotonic() + seconds
        while time.monotonic() < until or count == 0:
            with self.connect() as connection:
                connection.sendall(next(self.requests))
                start = connection.recv(65536)
                while connection.recv(65536):
                    pass
            if not start.startswith(b"HTTP/1.1 200 "):
                raise Failure(start[:100].decode("latin-1"))
            count += 1
        return count

    def kept_connections(self, connections: int, size: int, seconds: float) -> int:
        """All at once; a request, or `depth` of them, goes out when the last one is answered."""
        poll = select.epoll()
        clients = {}
        for _ in range(connections):
            connection = self.connect()
            connection.sendall(next(self.requests))
            connection.setblocking(False)
            poll.register(connection, select.EPOLLIN)
            clients[connection.fileno()] = connection
        batch = size * self.depth
        missing = dict.fromkeys(clients, batch)
        count = 0
        # To open them may take longer than a short run.
        until = time.monotonic() + seconds
        while time.monotonic() < until or count == 0:
            for number, _ in poll.poll(1):
                connection, left = clients[number], missing[number]
                try:
                    while True:
                        part = receive(connection)
                        if left == batch and not part.startswith(b"HTTP/1.1 200 "):
                            raise Failure(part[:100].decode("latin-1"))
                        left -= len(part)
                        if left <= 0:
                            break
                except (BlockingIOError, ssl.SSLWantReadError):
                    pass
                if left < 0:
                    raise Failure("an answer is longer than the first one was")
                if left == 0:
                    count += self.depth
                    left = batch
                    connection.sendall(next(self.requests))
                missing[number] = left
        for connection in clients.values():
            connection.close()
        return count


def receive(connection: socket.socket) -> bytes:
    part = connection.recv(262144)
    if not part:
        raise Failure("the server closed a connection")
    return part


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--path", required=True)
    parser.add_argument("--hosts", nargs="+", required=True)
    parser.add_argument("--coding", default="")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--close", action="store_true")
    options = parser.parse_args()
    client = Client(options)
    try:
        size = client.answer_size()
        start = time.monotonic()
        count = (client.new_connections(options.seconds) if options.close
                 else client.kept_connections(options.connections, size, options.seconds))
    except (Failure, OSError) as failure:
        raise SystemExit(f"load failed: {failure}") from None
    print(json.dumps({"requests": count, "seconds": time.monotonic() - start}))


if __name__ == "__main__":
    main()
