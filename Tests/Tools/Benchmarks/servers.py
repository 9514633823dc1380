"""The two servers: how each is configured, started, asked and stopped."""

import contextlib
import os
import pathlib
import pwd
import socket
import ssl
import time

import processes
from data import PATH, Site

# A client that takes any certificate.
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE

CONNECTIONS = 8_192

# Plain HTTP is served on four: with a new connection for each request, the ports of one client
# and one address would be used up within a second.
ADDRESSES = [f"127.0.0.{last}" for last in range(1, 5)]


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("0.0.0.0", 0))  # free on every address
        return [each.getsockname()[1] for each in sockets]


class Server:
    name: str

    def __init__(self, program: str, site: Site, threads: int = 1):
        self.program, self.site, self.threads = program, site, threads
        self.http, self.https = free_ports(2)
        self.log = site.folder / f"{self.name}-{self.http}.log"

    def start(self) -> None:
        arguments = self.arguments()
        with open(self.log, "wb") as log:
            self.exec_time = time.monotonic()
            self.process = processes.start(
                arguments, processes.server_cores(self.threads), stdout=log, stderr=log)

    def __enter__(self):
        self.start()
        try:
            self.wait(self.site.hosts[0])
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self) -> None:
        processes.end(self.process)

    def wait(self, host: str, tls: bool = False, timeout: float = 300) -> float:
        """Seconds from exec to the first right answer for a host."""
        want = self.site.file(host).read_bytes()
        while True:
            with contextlib.suppress(OSError):
                if self.ask(host, tls)[1] == want:
                    return time.monotonic() - self.exec_time
            if self.process.poll() is not None:
                text = self.log.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{self.name} ended with {self.process.returncode}: {text}")
            if time.monotonic() - self.exec_time > timeout:
                raise RuntimeError(f"{self.name} gave no right answer within {timeout:.0f} s")
            time.sleep(0.0005)

    def connect(self, host: str, tls: bool = False) -> socket.socket:
        plain = socket.create_connection(("127.0.0.1", self.https if tls else self.http), 10)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return TRUSTING.wrap_socket(plain, server_hostname=host) if tls else plain

    def ask(self, host: str, tls: bool = False, coding: str = "identity") -> tuple[str, bytes]:
        """Head and body of the answer to one request on a connection of its own."""
        with self.connect(host, tls) as connection:
            connection.sendall(
                f"GET {PATH} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: {coding}\r\n"
                "Connection: close\r\n\r\n".encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
        head, _, body = answer.partition(b"\r\n\r\n")
        return head.decode("latin-1"), body

    def cpu_seconds(self) -> float:
        return processes.cpu_seconds(self.process.pid)

    def memory(self) -> int:
        return processes.proportional_bytes(self.process.pid)


class Aasa(Server):
    name = "aasa"

    def arguments(self) -> list[str]:
        return [self.program, "serve", "--domains", str(self.site.domains),
                "--certificates", str(self.site.certificates),
                *(f"--http={address}:{self.http}" for address in ADDRESSES),
                "--https", f"127.0.0.1:{self.https}", "--threads", str(self.threads),
                "--access-log", "none",
                # wrk sends an address for a server name.
                "--default-certificate", self.site.hosts[0]]


class Nginx(Server):
    """As one would tune it for small files: nothing is logged, files stay open between requests."""

    name = "nginx"

    def __init__(self, program: str, site: Site, threads: int = 1, caches_files: bool = True):
        super().__init__(program, site, threads)
        self.caches_files = caches_files

    def arguments(self) -> list[str]:
        folder = self.site.folder / f"nginx-{self.http}"
        folder.mkdir()
        file = folder / "nginx.conf"
        file.write_text(self.configuration(folder))
        return [self.program, "-p", str(folder), "-c", str(file)]

    def configuration(self, folder: pathlib.Path) -> str:
        user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
        scratch = " ".join(
            f"{kind}_temp_path {folder}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        cache = "open_file_cache max=20000 inactive=60s; open_file_cache_valid 60s;"
        # One address: options of a listening socket may be given once only.
        options = "backlog=4096"
        hosts = []
        for host in self.site.hosts:
            certificate = self.site.certificates / host
            hosts.append(
                f"server {{ listen 127.0.0.1:{self.https} ssl {options}; server_name {host};"
                f" root {self.site.domains}/{host};"
                f" ssl_certificate {certificate}.crt; ssl_certificate_key {certificate}.key; }}\n")
            options = ""
        return f"""
daemon off; {user} worker_processes {self.threads}; worker_rlimit_nofile {CONNECTIONS * 2};
pid {folder}/pid; error_log {folder}/error.log crit;
events {{ worker_connections {CONNECTIONS}; use epoll; }}
http {{
  {scratch}
  access_log off; server_tokens off; etag on; default_type application/json; types {{ }}
  sendfile on; tcp_nopush on; tcp_nodelay on; aio off; gzip_static on;
  {cache if self.caches_files else ""}
  keepalive_timeout 75s; keepalive_requests 1000000000;
  ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:tls:10m; ssl_session_tickets on;
  server_names_hash_max_size 400000; server_names_hash_bucket_size 128;
  server {{
    {" ".join(f"listen {address}:{self.http} backlog=4096;" for address in ADDRESSES)}
    location = {PATH} {{ root {self.site.domains}/$host; }}
    location / {{ return 404; }}
  }}
  {"".join(hosts)}
}}
"""
