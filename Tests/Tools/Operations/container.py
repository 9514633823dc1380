#!/usr/bin/env python3
"""Proves the Dockerfile without an engine: runs its own instructions, and then the result.

    Tests/Tools/Operations/container.py [--build FOLDER | --program FILE] [--keep FOLDER]

The build stage's commands run in a copy of the sources; its packages must be installed. What the
last stage copies is put into an empty root, and nothing else. Its compressed size is measured; then
it is served from, in a mount namespace of its own, with that root mounted read-only, as the image's
numeric user without any capability: HTTPS is asked for with a certificate that is checked.

--build FOLDER keeps the compiler's work there, so that the next run takes seconds; --program FILE takes
a program that was built already, with what libraries it needs. --keep FOLDER puts the root there. Exit
code 77: it cannot be tried here (not Linux, not root, no Swift, no openssl).
"""

import argparse
import ctypes
import gzip
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tarfile
import tempfile
import time

repository = os.path.abspath(__file__ + "/../../../..")
# A tenth more than it has.
largest = 11 * 1000 * 1000
# What a build is given as arguments.
revision = {"REVISION": "0123456789abcdef0123456789abcdef01234567", "DATE": "2026-01-02T03:04:05+00:00"}


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def instructions():
    """The stages of the Dockerfile: lists of (instruction, rest)."""
    text = open(os.path.join(repository, "Dockerfile")).read()
    text = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    stages = []
    for line in re.sub(r"\\\n\s*", " ", text).split("\n"):
        if not line.strip():
            continue
        word, rest = line.split(None, 1)
        if word == "FROM":
            stages.append([])
        else:
            stages[-1].append((word, rest.strip()))
    return stages


def check_order(stage):
    """A change of a test, or of a document, must not compile anything again: what is copied before the
    compiler runs is all that an engine compares with its cache."""
    without_tests = False
    for word, rest in stage:
        if word == "ENV":
            without_tests = without_tests or "AASA_WITHOUT_TESTS=1" in shlex.split(rest)
        elif word == "COPY":
            for source in rest.split()[:-1]:
                assert os.path.normpath(source).split("/")[0] not in (".", "Tests", "Documentation"), rest
        elif word == "RUN" and "packaging/compile" in rest:
            assert without_tests, "Package.swift asks for the tests, which are not there"
            return
    raise SystemExit("container: the build stage compiles nothing")


def check_labels(settings):
    """Says what the image is, and from which build."""
    label = {name.removeprefix("org.opencontainers.image."): value
             for name, value in settings["LABEL"].items()}
    for name, argument in (("version", "VERSION"), ("revision", "REVISION"), ("created", "DATE"),
                           ("source", "SOURCE")):
        assert label.get(name) == f"${argument}", f"the label {name} is {label.get(name)}"
        assert argument in settings["ARG"], f"there is no ARG {argument}, so the label {name} is empty"
    assert label.get("licenses"), "there is no label licenses"
    assert label.get("base.name") == "scratch", label


def check_upgrades(stage, packages):
    """An engine's base may be old, so the build upgrades each package that it copies from."""
    commands = " && ".join(rest for word, rest in stage if word == "RUN")
    upgraded = {name for command in commands.split("&&") if " install " in command
                for name in command.split()}
    missing = set(packages) - upgraded
    assert not missing, f"the build copies from {sorted(missing)} and does not upgrade them"


def copy(source, target, relative_to):
    """As COPY does: a folder's content, or a file, into a folder or to a name."""
    source = os.path.join(relative_to, source)
    if os.path.isdir(source):
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns(".build", "__pycache__"))
    else:
        if target.endswith("/"):
            os.makedirs(target, exist_ok=True)
        shutil.copy(source, target, follow_symlinks=False)


def build(stage, work, kept, program):
    """Runs the first stage in `work`. Returns the folder that is its /image."""
    image = os.path.join(work, "image")
    folder = work
    arguments = dict(os.environ)
    for word, rest in stage:
        if word == "WORKDIR":
            folder = os.path.join(work, rest.lstrip("/"))
            os.makedirs(folder, exist_ok=True)
            if kept:
                os.makedirs(kept, exist_ok=True)
                os.symlink(kept, os.path.join(folder, ".build"))
        elif word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                end = "/" if target.endswith("/") else ""
                copy(source, os.path.normpath(os.path.join(folder, target)) + end, repository)
        elif word == "ARG":
            name, value = rest.split("=", 1)
            arguments[name] = revision.get(name, value)
        elif word == "ENV":
            arguments.update(part.split("=", 1) for part in shlex.split(rest))
        elif word == "RUN" and "apt-get" in rest:
            print("taken as done:", rest, flush=True)
        elif word == "RUN":
            print("running:", rest, flush=True)
            command = re.sub(r"(?<=[ \"'])/image\b(?!-root)", shlex.quote(image), rest)
            command = re.sub(r"/program\b", shlex.quote(work + "/program"), command)
            if program:
                command = command.replace(
                    "Config/packaging/compile", "echo " + shlex.quote(program))
                print("instead:", command, flush=True)
            subprocess.run(["/bin/sh", "-c", command], cwd=folder, env=arguments, check=True)
        else:
            raise SystemExit(f"container: the build stage has {word}, which is not known here")
    return image


def assemble(stage, image, root):
    """Copies the files of the last stage into `root`. Returns its settings."""
    settings = {"ENV": {}, "LABEL": {}, "ARG": {}}
    os.makedirs(root)
    for word, rest in stage:
        if word == "COPY" and "--chown=" in rest:
            _, owner, source, target = rest.split()
            assert source == "/image-state/", rest
            # Engines give the owner to the folders above too, if they have to make them.
            made = [root + target.rstrip("/")]
            while not os.path.exists(os.path.dirname(made[-1])):
                made.append(os.path.dirname(made[-1]))
            copy(image + "-state", made[0], "/")
            for folder in made:
                os.chown(folder, *map(int, owner.split("=")[1].split(":")))
        elif word == "COPY" and rest.startswith("--from=build"):
            _, source, target = rest.split()
            assert (source, target) == ("/image", "/"), rest
            copy(image, root, "/")
        elif word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                copy(source, root + target, repository)
        elif word in ("ENV", "LABEL", "ARG"):
            settings[word].update(part.split("=", 1) for part in shlex.split(rest))
        elif word == "HEALTHCHECK":
            settings[word] = json.loads(rest[rest.index("["):])
        elif word in ("ENTRYPOINT", "CMD"):
            settings[word] = json.loads(rest)
        else:
            settings[word] = rest
    return settings


def compressed(root):
    """The bytes of the root as a layer is sent."""
    class Counter:
        count = 0

        def write(self, data):
            self.count += len(data)
            return len(data)

        def flush(self):
            pass

    counter = Counter()
    with gzip.GzipFile(fileobj=counter, mode="wb", compresslevel=6) as stream:
        with tarfile.open(fileobj=stream, mode="w|") as archive:
            archive.add(root, arcname=".")
    return counter.count


def confine(root, user, command, environment):
    """In a process of its own: only the root, read-only, as the user, with no right at all."""
    mounts = [
        ["mount", "--make-rprivate", "/"],
        ["mount", "--bind", root, root],
        ["mount", "-o", "remount,bind,ro", root],
        # Provided by every engine.
        ["mount", "-t", "proc", "proc", root + "/proc"],
        ["mount", "--bind", "/dev/null", root + "/dev/null"],
    ]
    for mount in mounts:
        subprocess.run(mount, check=True)
    os.chroot(root)
    os.chdir("/")
    user, group = map(int, user.split(":"))
    os.setgroups([])
    os.setresgid(group, group, group)
    os.setresuid(user, user, user)
    no_new_privileges = 38
    ctypes.CDLL(None).prctl(no_new_privileges, 1, 0, 0, 0)
    for path in ("/probe", "/etc/aasa/probe", "/etc/aasa/domains/probe"):
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            raise SystemExit(f"container: {path} could be written")
        except OSError:
            pass
    os.execve(command[0], command, environment)


def inside(root, settings, command, environment):
    """Starts a program in the container."""
    order = json.dumps([root, settings["USER"], command, {**settings["ENV"], **environment}])
    return ["unshare", "--mount", "--", sys.executable, os.path.abspath(__file__), "--inside", order]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def look_inside(root):
    """No domain of somebody else's; what scanners read; rights for nobody but root. Returns the packages
    that scanners see."""
    assert os.listdir(root + "/etc/aasa/domains") == [], "the image has a domain"
    assert os.listdir(root + "/etc/aasa/certificates") == [], "the image has a certificate"
    assert "VERSION_ID=" in open(root + "/etc/os-release").read(), "no os-release"
    entries = os.listdir(root + "/var/lib/dpkg/status.d")
    for package in ("libc6", "libssl3", "zlib1g", "ca-certificates"):
        assert package in entries, f"scanners do not see {package}: {entries}"
        entry = open(f"{root}/var/lib/dpkg/status.d/{package}").read()
        assert re.search(rf"^Package: {package}$", entry, re.M) and "\nVersion: " in entry, entry
    for folder in ("/var", "/var/lib"):
        assert os.stat(root + folder).st_uid == 0, f"{folder} is not root's"
    assert os.stat(root + "/var/lib/aasa").st_uid == 65532
    print("inside:", ", ".join(sorted(entries)))
    return entries


def make_certificate(folder, owner):
    """A key and a certificate for example.com that signs itself."""
    os.makedirs(folder)
    key, certificate = folder + "/example.com.key", folder + "/example.com.crt"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "60", "-subj", "/CN=example.com",
         "-addext", "subjectAltName=DNS:example.com", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL)
    os.chmod(key, 0o400)
    os.chown(key, *map(int, owner.split(":")))
    return certificate


def ask(port, path, host, context=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    if context:
        plain = socket.create_connection(("127.0.0.1", port), timeout=10)
        connection.sock = context.wrap_socket(plain, server_hostname=host)
    connection.request("GET", path, headers={"Host": host})
    answer = connection.getresponse()
    return answer.status, answer.read()


def serve(root, settings):
    http_port, https_port, admin_port = free_port(), free_port(), free_port()
    # As an image of one's own does: FROM aasa, COPY domains /etc/aasa/domains.
    shutil.copy(repository + "/Config/domains/example.com.json", root + "/etc/aasa/domains/")
    certificate = make_certificate(root + "/etc/aasa/certificates/example.com", settings["USER"])
    environment = {
        "AASA_HTTP": f"127.0.0.1:{http_port}", "AASA_HTTPS": f"127.0.0.1:{https_port}"}
    has_admin = b"healthcheck" in subprocess.run(
        [root + "/aasa", "--help"], capture_output=True).stdout
    if has_admin:
        environment["AASA_ADMIN"] = f"127.0.0.1:{admin_port}"
    command = settings["ENTRYPOINT"] + settings["CMD"]
    server = subprocess.Popen(
        inside(root, settings, command, environment), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                ask(http_port, "/", "example.com")
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > deadline:
                    server.kill()
                    raise SystemExit(f"container: it does not serve: {server.communicate()}")
                time.sleep(0.05)
        expected = open(repository + "/Config/domains/example.com.json", "rb").read()
        trusting = ssl.create_default_context(cafile=certificate)
        for path in ("/.well-known/apple-app-site-association", "/apple-app-site-association"):
            assert ask(https_port, path, "example.com", trusting) == (200, expected), path
            assert ask(http_port, path, "example.com") == (200, expected), path
            assert ask(http_port, path, "example.net")[0] == 404, "another host is answered"
        print("served over HTTPS and HTTP, as user", settings["USER"], "from a read-only root")
        if has_admin:
            check = subprocess.run(
                inside(root, settings, settings["HEALTHCHECK"], environment),
                capture_output=True, text=True)
            assert check.returncode == 0, check
            print("healthy:", check.stdout.strip())
        status = open(f"/proc/{server.pid}/status").read()
        assert re.search(r"^CapEff:\s0+$", status, re.M), "it has capabilities"
        assert re.search(r"^NoNewPrivs:\s1$", status, re.M)
        server.send_signal(getattr(signal, settings["STOPSIGNAL"]))
        output, errors = server.communicate(timeout=60)
        assert server.returncode == 0, (server.returncode, errors)
        for line in errors.splitlines():
            event = json.loads(line)
            assert event["level"] == "info" or "code" in event, line
        print("stopped with exit code 0")
    finally:
        server.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build")
    parser.add_argument("--program")
    parser.add_argument("--keep")
    parser.add_argument("--inside")
    options = parser.parse_args()
    if options.inside:
        confine(*json.loads(options.inside))
    if sys.platform != "linux" or os.geteuid() != 0:
        skip("it takes root on Linux to make a root of its own")
    for tool in ("openssl", "unshare", "mount", "strip") + (() if options.program else ("swift",)):
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    if not os.path.exists("/etc/ssl/certs/ca-certificates.crt"):
        skip("ca-certificates is not installed")
    if subprocess.run(["unshare", "--mount", "mount", "-t", "proc", "proc", "/proc"],
                      capture_output=True).returncode != 0:
        skip("mount namespaces are not allowed here")

    stages = instructions()
    check_order(stages[0])
    with tempfile.TemporaryDirectory(prefix="aasa-container-") as work:
        os.chmod(work, 0o755)
        root = os.path.join(work, "root")
        image = build(stages[0], work, options.build and os.path.abspath(options.build),
                      options.program and os.path.abspath(options.program))
        settings = assemble(stages[-1], image, root)
        check_labels(settings)
        for name in sorted(os.path.relpath(os.path.join(folder, file), root)
                           for folder, _, files in os.walk(root) for file in files):
            print(f"  {os.lstat(os.path.join(root, name)).st_size:>10}  /{name}")
        # Another program, such as a debug build, says nothing of the image's size.
        if not options.program:
            size = compressed(root)
            print(f"compressed: {size / 1e6:.1f} MB of at most {largest / 1e6:.0f}")
            assert size <= largest, "the image is too large"
        packages = look_inside(root)
        version = subprocess.run([root + "/aasa", "version"], capture_output=True, text=True).stdout
        assert re.fullmatch(r"aasa \d+\.\d+\.\d+\n", version), version
        # Another program may load other libraries, and knows its own commit.
        if not options.program:
            check_upgrades(stages[0], packages)
            verbose = subprocess.run(
                [root + "/aasa", "version", "--verbose"], capture_output=True, text=True).stdout
            for value in revision.values():
                assert value in verbose, f"{value} is not in {verbose}"
        # Engines make these folders.
        for folder in ("proc", "dev"):
            os.makedirs(os.path.join(root, folder))
        open(root + "/dev/null", "w").close()
        serve(root, settings)
        if options.keep:
            shutil.copytree(root, options.keep, symlinks=True)
    print("container: all is right")


main()
