#!/usr/bin/env python3
"""Makes the packages of Config/packaging, and installs, upgrades, removes and purges the Debian one.

    Tests/Tools/Operations/packages.py --program FILE [--keep FOLDER]

The system that it is installed in is a copy-on-write layer over this one, so that nothing here
changes. lintian must find no error and no warning, if it is installed. --keep FOLDER puts the packages
there. Exit code 77: it cannot be tried here (not Debian, not root, a tool is missing).
"""

import argparse
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

repository = os.path.abspath(__file__ + "/../../../..")

# What lintian finds without a fault in the package.
accepted_tags = [
    # Only an upload to Debian closes a bug there.
    "initial-upload-closes-no-bugs",
    # A program that is not linked statically names the folder of Swift's libraries.
    "custom-library-search-path",
]


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def run(*command, code=0, **options):
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert result.returncode == code, (command, result.returncode, result.stdout)
    return result.stdout


def build(program, output, revision):
    run(repository + "/Config/packaging/build", "--program", program, "--output", output,
        "--revision", revision, env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"})
    return glob.glob(output + "/*.deb")[0]


def check_files(output, version):
    """Checksums, the archive, the SBOM."""
    with open(output + "/SHA256SUMS") as file:
        sums = dict(reversed(line.split()) for line in file)
    assert len(sums) == 3, sums
    for name, digest in sums.items():
        with open(f"{output}/{name}", "rb") as file:
            assert hashlib.sha256(file.read()).hexdigest() == digest, name
    with tarfile.open(glob.glob(output + "/*.tar.gz")[0]) as archive:
        names = {member.name.partition("/")[2] for member in archive}
        assert {member.mtime for member in archive} == {1767225600}
    for name in ("bin/aasa", "lib/systemd/system/aasa.service", "share/man/man1/aasa-serve.1.gz",
                 "share/zsh/site-functions/_aasa", "share/aasa/server.json"):
        assert name in names, (name, names)
    with open(glob.glob(output + "/*.spdx.json")[0]) as file:
        document = json.load(file)
    packages = {package["name"]: package["versionInfo"] for package in document["packages"]}
    assert packages["aasa"] == version
    with open(repository + "/Package.resolved") as file:
        for pin in json.load(file)["pins"]:
            assert packages[pin["identity"]] == pin["state"]["version"], packages
    for name in ("libssl3", "zlib1g", "libc6"):
        assert packages.get(name), packages
    known = {package["SPDXID"] for package in document["packages"]} | {"SPDXRef-DOCUMENT"}
    for relation in document["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= known, relation


def lint(package):
    if not shutil.which("lintian"):
        print("lintian is not installed")
        return
    run("lintian", "--allow-root", "--fail-on", "error,warning",
        "--suppress-tags", ",".join(accepted_tags), package)
    print("lintian: no errors, no warnings")


def inside(first, second):
    """Installs, upgrades, removes and purges, with this root."""
    def exists(path):
        return os.path.lexists(path)

    run("dpkg", "--install", first)
    assert "root:aasa 750" == run("stat", "-c", "%U:%G %a", "/etc/aasa/certificates").strip()
    assert run("getent", "passwd", "aasa").startswith("aasa:")
    # Nothing is started or enabled.
    assert not glob.glob("/etc/systemd/system/*/aasa*"), "it is enabled"
    for unit in ("aasa.service", "aasa.socket"):
        path = "/usr/lib/systemd/system/" + unit
        assert "/usr/local" not in open(path).read(), unit
        found = run("systemd-analyze", "verify", path)
        assert "aasa" not in found, found
    version = run("/usr/bin/aasa", "version").split()[1]
    settings = ["--validate-only", "--config", "/etc/aasa/server.json"]
    shutil.copy("/usr/share/doc/aasa/examples/example.com.json", "/etc/aasa/domains/")
    said = run("/usr/bin/aasa", "serve", *settings, env={})
    assert "would serve 1 domain (example.com) from /etc/aasa/domains" in said, said
    assert "would listen on http://[::]:80\n" in said, said
    assert "would listen on https://[::]:443\n" in said, said
    lineage = "/tmp/lineage/example.com"
    os.makedirs(lineage)
    for name in ("privkey.pem", "fullchain.pem"):
        open(f"{lineage}/{name}", "w").close()
    run("/usr/share/aasa/certbot-deploy-hook", env={"RENEWED_LINEAGE": lineage, **os.environ})
    key = "/etc/aasa/certificates/example.com/privkey.pem"
    assert "root:aasa 640" == run("stat", "-c", "%U:%G %a", key).strip()
    shutil.rmtree(os.path.dirname(key))
    if shutil.which("logrotate"):
        run("logrotate", "--debug", "/etc/logrotate.d/aasa")
    if shutil.which("bash"):
        run("bash", "-n", "/usr/share/bash-completion/completions/aasa")
    for page in ("aasa", "aasa-serve"):
        assert exists(f"/usr/share/man/man1/{page}.1.gz"), page
    print("installed", version)

    with open("/etc/aasa/server.json") as file:
        changed = file.read().replace(":80", ":8081")
    with open("/etc/aasa/server.json", "w") as file:
        file.write(changed)
    os.chmod("/etc/aasa/certificates", 0o700)
    run("dpkg", "--force-confold", "--install", second, stdin=subprocess.DEVNULL)
    assert run("dpkg-query", "--show", "--showformat=${Version}", "aasa") == version + "-2"
    assert open("/etc/aasa/server.json").read() == changed, "the settings were replaced"
    assert "700" == run("stat", "-c", "%a", "/etc/aasa/certificates").strip()
    print("upgraded")

    run("systemctl", "enable", "aasa.service", "aasa.socket")
    assert len(glob.glob("/etc/systemd/system/*/aasa.*")) == 2
    run("dpkg", "--remove", "aasa")
    assert not glob.glob("/etc/systemd/system/*/aasa.*"), "it is still enabled"
    assert not exists("/usr/bin/aasa") and not exists("/usr/lib/systemd/system/aasa.service")
    assert exists("/etc/aasa/server.json") and exists("/etc/aasa/domains/example.com.json")
    print("removed")

    # The removal took the folder of certificates with it, because it was empty.
    run("dpkg", "--install", second, stdin=subprocess.DEVNULL)
    assert open("/etc/aasa/server.json").read() == changed, "the settings were replaced"
    assert "root:aasa 750" == run("stat", "-c", "%U:%G %a", "/etc/aasa/certificates").strip()
    print("installed again")

    # As systemd makes them.
    os.makedirs("/var/log/aasa", exist_ok=True)
    os.makedirs("/var/lib/private/aasa/kept")
    os.symlink("private/aasa", "/var/lib/aasa")
    run("dpkg", "--purge", "aasa")
    assert not exists("/etc/aasa/server.json") and not exists("/etc/logrotate.d/aasa")
    assert not exists("/var/log/aasa") and not exists("/var/lib/private/aasa")
    assert not os.path.islink("/var/lib/aasa")
    assert not glob.glob("/var/lib/systemd/*/aasa.*"), "systemd's state is still there"
    assert exists("/etc/aasa/domains/example.com.json"), "a file of the user's is gone"
    print("purged")


def in_layer(work, command):
    """Runs a command in a copy-on-write layer over this system."""
    for name in ("layer", "work", "root"):
        os.makedirs(f"{work}/{name}")
    script = f"""
      set -e
      mount -t tmpfs -o mode=755 tmpfs {work}
      mkdir {work}/layer {work}/work {work}/root
      mount -t overlay -o lowerdir=/,upperdir={work}/layer,workdir={work}/work overlay {work}/root
      mount -t proc proc {work}/root/proc
      mount --rbind /dev {work}/root/dev
      mount --bind "$0" {work}/root/mnt
      mount --bind "$1" {work}/root/media
      shift
      exec chroot {work}/root "$@"
    """
    return ["unshare", "--mount", "sh", "-c", script, *command]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program")
    parser.add_argument("--keep")
    parser.add_argument("--inside", nargs=2)
    options = parser.parse_args()
    if options.inside:
        inside(*options.inside)
        return
    if sys.platform != "linux" or os.geteuid() != 0:
        skip("it takes root on Linux to install in a layer")
    for tool in ("dpkg-deb", "dpkg-shlibdeps", "strip", "unshare", "systemd-sysusers",
                 "systemd-analyze"):
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    if any(map(os.path.exists, ("/etc/aasa", "/usr/bin/aasa", "/var/lib/aasa"))):
        skip("aasa is installed on this machine")
    with tempfile.TemporaryDirectory(prefix="aasa-packages-") as work:
        os.chmod(work, 0o755)
        layer = work + "/system"
        os.mkdir(layer)
        if subprocess.run(in_layer(layer, ["/", "/", "true"]), capture_output=True).returncode != 0:
            skip("a layer over this system cannot be mounted here")
        for name in ("layer", "work", "root"):
            os.rmdir(f"{layer}/{name}")
        program = os.path.abspath(options.program)
        version = run(program, "version").split()[1]
        first = build(program, work + "/1", "1")
        second = build(program, work + "/2", "2")
        archives = [open(glob.glob(f"{work}/{n}/*.tar.gz")[0], "rb").read() for n in (1, 2)]
        assert archives[0] == archives[1], "the same sources make other bytes"
        check_files(work + "/1", version)
        lint(first)
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
        result = subprocess.run(
            in_layer(layer, [
                work, os.path.dirname(os.path.abspath(__file__)),
                "/usr/bin/python3", "/media/packages.py", "--inside",
                first.replace(work, "/mnt"), second.replace(work, "/mnt")]),
            env=environment)
        assert result.returncode == 0, "see above"
        for name in sorted(os.listdir(work + "/1")):
            print(f"  {os.path.getsize(work + '/1/' + name):>10}  {name}")
        if options.keep:
            shutil.copytree(work + "/1", options.keep, dirs_exist_ok=True)
    print("packages: all is right")


main()
