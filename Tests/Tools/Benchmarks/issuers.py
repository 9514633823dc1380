"""The servers that get certificates by themselves: how each is configured, started and judged."""

import contextlib
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import time

import processes
from authority import Authority
from data import PATH, SMALL_BYTES, association
from servers import free_ports

# Every name is 127.0.0.1 and has no CAA records; port 80 is the server's; the file system is a disk, as
# a state folder in a container's own one would be refused.
LIBRARY = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
  return NEXT(getaddrinfo)(host ? "127.0.0.1" : 0, service, hints, result);
}

int res_nquery(res_state state, const char *name, int class, int type, unsigned char *answer,
               int size) {
  state->res_h_errno = NO_DATA;
  return -1;
}

int statfs(const char *path, struct statfs *system) {
  int code = NEXT(statfs)(path, system);
  system->f_type = 0xEF53;
  return code;
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  struct sockaddr_storage copy = {0};
  memcpy(&copy, address, length < sizeof copy ? length : sizeof copy);
  /* The port stands at the same place in both families. */
  in_port_t *port = &((struct sockaddr_in *)&copy)->sin_port;
  if (copy.ss_family != AF_INET && copy.ss_family != AF_INET6)
    return NEXT(connect)(socket, address, length);
  if (*port == htons(80)) *port = htons(atoi(getenv("BENCHMARK_HTTP")));
  return NEXT(connect)(socket, (struct sockaddr *)&copy, length);
}
"""


class Issuer:
    """A server with a folder and a CA of its own. Each kind says how it is started, which names it has
    certificates for, and what it complained about."""

    label: str

    def __init__(self, program: str, folder: pathlib.Path, names: list[str]):
        self.program, self.folder, self.names = program, folder, []
        self.domains = folder / "domains"
        self.domains.mkdir(parents=True)
        self.log = folder / f"{self.label}.log"
        self.http, self.https = free_ports(2)
        self.authority = Authority(folder, self.http)
        self.environment = dict(os.environ)
        for name in names:
            self.write(name)
        self.prepare()

    def write(self, name: str) -> None:
        self.names.append(name)
        (self.domains / f"{name}.json").write_bytes(association(name, SMALL_BYTES))

    def prepare(self) -> None:
        """What else it needs before its first start."""

    def add(self, name: str) -> None:
        """One more name while it runs."""
        self.write(name)

    def start(self, directory: str) -> None:
        arguments = self.arguments(directory)
        with open(self.log, "ab") as file:
            self.exec_time = time.monotonic()
            self.process = processes.start(arguments, processes.server_cores(), stdout=file,
                                           stderr=file, env=self.environment)

    def wait(self) -> float:
        """Seconds from exec until it has a certificate for each name."""
        while len(served := self.served()) < len(self.names):
            seconds = time.monotonic() - self.exec_time
            if self.process.poll() is not None or seconds > 60 + 2 * len(self.names):
                text = self.log.read_text(errors="replace")[-2000:]
                raise RuntimeError(
                    f"{self.label}: {len(served)} of {len(self.names)} names are served: {text}")
            time.sleep(0.02)
        return time.monotonic() - self.exec_time

    def prove(self) -> None:
        """A client that trusts only this CA connects to each name."""
        context = ssl.create_default_context(cafile=str(self.authority.roots))
        for name in self.names:
            until = time.monotonic() + 10
            while True:
                try:
                    with socket.create_connection(("127.0.0.1", self.https), 10) as plain:
                        context.wrap_socket(plain, server_hostname=name).close()
                    break
                except OSError as error:
                    if time.monotonic() > until:
                        raise RuntimeError(f"{self.label} does not serve {name}: {error}") from None
                    time.sleep(0.02)

    def cpu_seconds(self) -> float:
        return processes.cpu_seconds(self.process.pid)

    def peak_bytes(self) -> int:
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError("the kernel does not say how much memory it took")

    def lines(self) -> list[str]:
        return self.log.read_text(errors="replace").splitlines()


class Aasa(Issuer):
    label = "aasa"

    def prepare(self) -> None:
        (self.folder / "certificates").mkdir()
        (self.folder / "server.json").write_text("{}")
        source, library = self.folder / "names.c", self.folder / "names.so"
        source.write_text(LIBRARY)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", str(library), str(source), "-ldl"],
                       check=True)
        self.environment |= {"LD_PRELOAD": str(library), "BENCHMARK_HTTP": str(self.http)}

    def arguments(self, directory: str) -> list[str]:
        return [self.program, "serve", "--config", str(self.folder / "server.json"),
                "--domains", str(self.domains), "--certificates", str(self.folder / "certificates"),
                "--http", f"127.0.0.1:{self.http}", "--https", f"127.0.0.1:{self.https}",
                "--threads", "1", "--access-log", "none", "--admin", "none", "--acme", directory,
                "--acme-ca", str(self.authority.roots), "--acme-state", str(self.folder / "state")]

    def served(self) -> set[str]:
        with contextlib.suppress(OSError):
            journal = (self.folder / "state/acme/journal").read_text()
            steps = map(json.loads, journal[:journal.rfind("\n") + 1].splitlines())
            return {step["host"] for step in steps if step["step"] == "served"}
        return set()

    def complaints(self) -> list[str]:
        return [line for line in self.lines() if re.match(r"(warning|error): .*\[I\d+\]", line)]


class Caddy(Issuer):
    """With its defaults, but for http-01 alone, as aasa has it here, and for addresses and folders."""

    label = "Caddy"

    def prepare(self) -> None:
        self.admin, = free_ports(1)
        self.environment |= {name: str(self.folder) for name in
                             ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}

    def arguments(self, directory: str) -> list[str]:
        self.directory = directory
        return [self.program, "run", *self.configuration()]

    def configuration(self) -> list[str]:
        file = self.folder / "Caddyfile"
        file.write_text(f"""{{
	default_bind 127.0.0.1
	http_port {self.http}
	https_port {self.https}
	admin 127.0.0.1:{self.admin}
	skip_install_trust
	storage file_system {self.folder}/storage
	cert_issuer acme {self.directory} {{
		trusted_roots {self.authority.roots}
		disable_tlsalpn_challenge
	}}
}}

{", ".join(self.names)} {{
	root * {self.domains}
	rewrite {PATH} /{{host}}.json
	file_server
}}
""")
        return ["--config", str(file), "--adapter", "caddyfile"]

    def add(self, name: str) -> None:
        self.write(name)
        processes.run([self.program, "reload", *self.configuration()], processes.load_cores(), 60)

    def served(self) -> set[str]:
        return {file.stem for file in self.folder.glob("storage/certificates/*/*/*.crt")}

    def complaints(self) -> list[str]:
        found = []
        for line in self.lines():
            with contextlib.suppress(ValueError):
                entry = json.loads(line)
                text = entry["msg"].partition("\n")[0]
                # It recovers from a panic, which it does not call an error.
                if entry["level"] == "error" or text.startswith("panic"):
                    parts = ["error", text, entry.get("identifier"), entry.get("error")]
                    found.append(": ".join(filter(None, parts)))
        return found
