"""Random operations on the certificates folder."""

import os
import random
import shutil
import subprocess
import time

from oracle_model import ABSENT, UNUSABLE
from oracle_operations import Operations

EXTENSIONS = """
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
[leaf]
basicConstraints = critical,CA:FALSE
extendedKeyUsage = serverAuth
subjectAltName = DNS:%s
"""


class Authority:
    """A root, an intermediate, and some certificates for each host, made by `openssl`."""

    def __init__(self, folder, hosts, versions=3):
        self.folder = folder
        os.makedirs(folder)
        self.certificate("root", "authority", None)
        self.certificate("intermediate", "authority", "root")
        self.root = os.path.join(folder, "root.crt")
        self.intermediate = self.read("intermediate.crt")
        self.versions = {
            host: [self.leaf(f"{host}-{index}", host) for index in range(versions)]
            for host in hosts}

    def leaf(self, name, host):
        """Serial number, certificate and key."""
        self.certificate(name, "leaf", "intermediate", host)
        serial = self.openssl("x509", "-in", name + ".crt", "-noout", "-serial")
        return serial.strip().removeprefix("serial="), self.read(name + ".crt"), self.read(name + ".key")

    def certificate(self, name, section, issuer, host="none.test"):
        with open(os.path.join(self.folder, "extensions"), "w") as file:
            file.write(EXTENSIONS % host)
        self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", name + ".key")
        self.openssl("req", "-new", "-key", name + ".key", "-subj", f"/CN={name}", "-out", "request")
        by = ["-CA", issuer + ".crt", "-CAkey", issuer + ".key"] if issuer else [
            "-signkey", name + ".key"]
        self.openssl("x509", "-req", "-in", "request", *by, "-set_serial", str(random.getrandbits(63)),
                     "-days", "60", "-extfile", "extensions", "-extensions", section, "-out",
                     name + ".crt")

    def openssl(self, *arguments):
        return subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, text=True,
                              capture_output=True).stdout

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()


class Certificates(Operations):
    label = "certificate "

    def __init__(self, root, names, authority, settings, record, seed, owner, unconfirmed):
        super().__init__(root, names, settings, record, seed)
        self.authority, self.owner = authority, owner
        # Held while the folder is not to be believed: confirming would say that it is meant.
        self.unconfirmed = unconfirmed
        self.folder = os.path.join(root, "certificates")
        self.live = os.path.join(root, "certbot", "live")
        self.archive = os.path.join(root, "certbot", "archive")
        self.locked = {}
        for folder in (self.folder, self.live, self.archive):
            os.makedirs(folder)
        for index, host in enumerate(names):
            self.make(host, ["pair", "folder", "certbot"][index % 3])

    def make(self, host, form):
        name = self.names[host]
        name.form, name.version = form, 0
        if form == "pair":
            name.paths = [os.path.join(self.folder, host + end) for end in (".crt", ".key")]
        elif form == "folder":
            os.makedirs(os.path.join(self.folder, host))
            name.paths = [os.path.join(self.folder, host, part) for part in ("tls.crt", "tls.key")]
        else:
            os.makedirs(os.path.join(self.live, host))
            os.symlink(f"../certbot/live/{host}", os.path.join(self.folder, host))
            name.paths = [
                os.path.join(self.live, host, part) for part in ("fullchain.pem", "privkey.pem")]
        self.rename(host, name)

    def next(self, host, name):
        """The next of its certificates: serial number, whole chain, leaf, key."""
        name.version = (name.version + 1) % len(self.authority.versions[host])
        serial, leaf, key = self.authority.versions[host][name.version]
        return serial, leaf + self.authority.intermediate, leaf, key

    def put(self, path, content):
        """A new file that belongs to the server's user."""
        with open(path, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            if self.owner:
                os.fchown(file.fileno(), self.owner, self.owner)
            file.write(content)

    def replace(self, path, content):
        self.put(path + ".new", content)
        os.replace(path + ".new", path)

    def relink(self, path, content):
        """Like certbot: a new file, and then a new link."""
        self.count += 1
        target = os.path.join(self.archive, f"{self.count}.pem")
        self.put(target, content)
        if os.path.lexists(path):
            os.unlink(path)
        os.symlink(target, path)

    # Operations on one certificate

    def step(self):
        if self.chance.random() < 0.03:
            return self.whole_folder()
        host = self.chance.choice(list(self.names))
        self.unlock(host)
        operation = self.choose([
            self.rename, self.rename, self.rewrite, self.leaf_first, self.short_absence,
            self.short_absence, self.long_absence, self.garbage, self.lock])
        operation(host, self.names[host])

    def rename(self, host, name):
        serial, chain, _, key = self.next(host, name)
        name.begins("renewed", serial)
        write = self.relink if name.form == "certbot" else self.replace
        parts = [(name.paths[0], chain), (name.paths[1], key)]
        self.chance.shuffle(parts)
        for path, content in parts:
            write(path, content)
        name.ends(serial)
        self.done("renewed")

    def rewrite(self, host, name):
        serial, chain, _, key = self.next(host, name)
        name.begins("written in place", serial)
        for path, content in zip(name.paths, (chain, key)):
            self.put(path, content)
        name.ends(serial)
        self.done("written in place")

    def leaf_first(self, host, name):
        """The intermediate follows when everybody has looked; where perhaps nothing is served, half
        a chain would be better than nothing."""
        if not self.can_be_absent(name) or name.permitted & {ABSENT, UNUSABLE}:
            return self.rename(host, name)
        serial, chain, leaf, key = self.next(host, name)
        name.begins("leaf first", serial)
        self.put(name.paths[1], key)
        self.put(name.paths[0], leaf)
        time.sleep(self.chance.uniform(0, 1.5))
        self.put(name.paths[0], chain)
        name.ends(serial)
        self.done("written leaf first")

    def restore(self, host, name):
        self.rename(host, name)

    def remove(self, name):
        name.begins("removed", ABSENT)
        for path in name.paths:
            os.unlink(path)
        name.ends(ABSENT)

    def garbage(self, host, name):
        name.begins("garbage", UNUSABLE)
        self.replace(name.paths[self.chance.randrange(2)], b"-----BEGIN CERTIFICATE-----\nMII")
        name.ends(UNUSABLE)
        self.done("garbage")

    def lock(self, host, name):
        if name.state in (ABSENT, UNUSABLE):
            return self.rename(host, name)
        places = [os.path.dirname(name.paths[0])] if name.form != "pair" else []
        places += [self.live] if name.form == "certbot" else name.paths
        place = self.chance.choice(places)
        # The whole of `live/`: every certificate that is read through it.
        hosts = [other for other in self.names
                 if self.names[other].paths[0].startswith(place + "/")] or [host]
        hosts = [other for other in hosts if self.names[other].state not in (ABSENT, UNUSABLE)]
        states = {other: self.names[other].state for other in hosts}
        for other in hosts:
            self.names[other].begins("locked", UNUSABLE)
        self.locked[place] = (os.stat(place).st_mode & 0o777, states)
        os.chmod(place, 0)
        for other in hosts:
            self.names[other].ends(UNUSABLE)
        self.done("locked")

    def unlock(self, host=None):
        """Before anything else is done to a host, or to all."""
        # Folders first: an ordinary user cannot change what is in a locked one.
        for place, (mode, states) in sorted(self.locked.items(), key=lambda item: len(item[0])):
            if host is None or host in states or self.names[host].paths[0].startswith(place + "/"):
                for other, state in states.items():
                    self.names[other].begins("unlocked", state)
                os.chmod(place, mode)
                for other, state in states.items():
                    self.names[other].ends(state)
                del self.locked[place]

    # Operations on the whole folder

    def whole_folder(self):
        self.unlock()
        operation = self.choose([self.close, self.lose, self.swap_certbot])
        for name in self.names.values():
            name.withholds(operation.__name__)
        with self.unconfirmed:
            operation()
        for name in self.names.values():
            name.believes(operation != self.close)
        self.done(operation.__name__.replace("_", " "))

    def pause(self):
        time.sleep(self.chance.uniform(0, self.settings.withdraw_after * 2))

    def close(self):
        os.chmod(self.folder, self.chance.choice([0o000, 0o644]))
        self.pause()
        os.chmod(self.folder, 0o755)

    def lose(self):
        """The folder is empty, or not there."""
        away, is_missing = self.folder + "-away", self.chance.random() < 0.5
        os.rename(self.folder, away)
        if not is_missing:
            os.mkdir(self.folder)
        self.pause()
        if not is_missing:
            os.rmdir(self.folder)
        os.rename(away, self.folder)

    def swap_certbot(self):
        """`mv certbot old; mv new certbot`: the same files at other inodes."""
        folder, old = os.path.dirname(self.live), os.path.join(self.root, "certbot-old")
        shutil.rmtree(old, ignore_errors=True)
        new = os.path.join(self.root, "certbot-new")
        subprocess.run(["cp", "-a", folder, new], check=True)
        os.rename(folder, old)
        os.rename(new, folder)
