"""Random operations on the domains folder, like those of operators, editors and deployment tools."""

import os
import shutil
import subprocess
import time

from oracle_model import ABSENT, UNUSABLE
from oracle_lists import Lists
from oracle_operations import Operations

FILE = "apple-app-site-association"
GARBAGE = [b"", b"{", b"[1]", b"\xff\xfe", b"{}" + b" " * 131_072]


def association(mark):
    return ('{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.example.%s"],'
            '"components":[{"/":"/*"}]}]}}' % mark).encode()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


class Domains(Operations):
    def __init__(self, root, names, settings, record, seed, hang_up, confirm):
        super().__init__(root, names, settings, record, seed)
        self.signal, self.confirm = hang_up, confirm
        self.folder = os.path.join(root, "domains")
        self.outside = os.path.join(root, "outside")
        self.is_meant = False  # whether the folder is empty on purpose
        self.locked = {}  # hosts whose file cannot be read, and their mode
        os.makedirs(self.folder)
        os.makedirs(self.outside)
        for index, host in enumerate(names):
            self.make(host, ["file", "root", "known", "link", "site"][index % 5])
        self.lists = Lists(root, settings, record, seed, confirm)
        self.lists.make(association)

    def everything(self):
        """All that is served from the folder."""
        return [*self.names.values(), *self.lists.names.values()]

    # Where a host's file is

    def make(self, host, form):
        entry = os.path.join(self.folder, host)
        outside = os.path.join(self.outside, host)
        name = self.names[host]
        name.link = None
        if form == "file":
            path = entry + ".json"
        elif form == "root":
            path = os.path.join(entry, FILE)
        elif form == "known":
            path = os.path.join(entry, ".well-known", FILE)
        elif form == "link":
            # Read through a folder that is swapped.
            path = os.path.join(outside, "dist", ".well-known", FILE)
            name.link = entry + ".json", f"../outside/{host}/dist/.well-known/{FILE}"
        else:
            path = os.path.join(outside, "site", ".well-known", FILE)
            name.link = entry, f"../outside/{host}/site"
        name.path, name.form = path, form
        mark = self.mark(host)
        name.begins("made", mark)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, association(mark))
        self.ends(name, mark)
        if form == "root":
            # Somebody's log, in a web root.
            write(os.path.join(entry, "access.log"), b"")

    def log(self):
        """Appends to the logs in web roots."""
        for host, name in self.names.items():
            try:
                log = os.open(os.path.join(self.folder, host, "access.log"), os.O_WRONLY | os.O_APPEND)
            except OSError:
                continue
            os.write(log, b"GET /\n")
            os.close(log)

    def mark(self, host):
        self.count += 1
        return f"{host.split('.')[0]}-{self.count}"

    # Operations on one host

    def step(self):
        """One operation; a few of them are about the whole folder."""
        if self.chance.random() < 0.03:
            return self.whole_folder()
        if self.chance.random() < 0.1:
            return self.lists.step()
        host = self.chance.choice(list(self.names))
        operations = [
            self.rewrite, self.rewrite, self.rename, self.rename, self.short_absence,
            self.short_absence, self.long_absence, self.garbage, self.lock, self.touch]
        if self.names[host].form in ("link", "site"):
            operations += [self.swap, self.swap]
        if self.names[host].form == "link":
            operations.append(self.cut_link)
        if self.names[host].form in ("root", "known"):
            operations += [self.redeploy, self.redeploy]
        self.unlock(host)
        operation = self.choose(operations)
        operation(host, self.names[host])

    def present(self, name):
        os.makedirs(os.path.dirname(name.path), exist_ok=True)

    def ends(self, name, state):
        """An operation that left a file; its link may have been removed before."""
        if name.link and not os.path.lexists(name.link[0]):
            os.symlink(name.link[1], name.link[0])
        name.ends(state)

    def rewrite(self, host, name):
        mark = self.mark(host)
        name.begins("written in place", mark)
        self.present(name)
        content = association(mark)
        with open(name.path, "wb", buffering=0) as file:
            cut = self.chance.randrange(len(content))
            file.write(content[:cut])
            if self.chance.random() < 0.3:
                time.sleep(self.chance.uniform(0, 0.1))
            file.write(content[cut:])
        self.ends(name, mark)
        self.done("written in place")

    def rename(self, host, name):
        mark = self.mark(host)
        name.begins("renamed over", mark)
        self.present(name)
        temporary = name.path + ".new"
        write(temporary, association(mark))
        if self.chance.random() < 0.3:  # older than what was there, as `rsync -t` leaves it
            os.utime(temporary, (1_000_000_000 + self.count, 1_000_000_000 + self.count))
        os.replace(temporary, name.path)
        self.ends(name, mark)
        self.done("renamed over")

    def restore(self, host, name):
        self.rewrite(host, name)

    def remove(self, name):
        name.begins("removed", ABSENT)
        if name.form == "root" and self.chance.random() < 0.5:
            shutil.rmtree(os.path.dirname(name.path))
        else:
            os.unlink(name.link[0] if name.link else name.path)
        name.ends(ABSENT)

    def cut_link(self, host, name):
        """A link that leads nowhere proves nothing: a mount may be gone."""
        if name.state in (ABSENT, UNUSABLE):
            return self.rename(host, name)
        name.begins("end of the link removed", UNUSABLE)
        os.unlink(name.path)
        name.ends(UNUSABLE)
        self.done("end of a link removed")

    def garbage(self, host, name):
        name.begins("garbage", UNUSABLE)
        self.present(name)
        temporary = name.path + ".new"
        write(temporary, self.chance.choice(GARBAGE))
        os.replace(temporary, name.path)
        self.ends(name, UNUSABLE)
        self.done("garbage")

    def lock(self, host, name):
        if name.state in (ABSENT, UNUSABLE):
            return self.rename(host, name)
        place = name.path
        if name.form != "file" and self.chance.random() < 0.5:
            place = os.path.dirname(place)
        name.begins("locked", UNUSABLE)
        self.locked[host] = (place, os.stat(place).st_mode & 0o777, name.state)
        os.chmod(place, 0)
        name.ends(UNUSABLE)
        self.done("locked")

    def unlock(self, host):
        if host in self.locked:
            place, mode, state = self.locked.pop(host)
            self.names[host].begins("unlocked", state)
            os.chmod(place, mode)
            self.names[host].ends(state)

    def touch(self, host, name):
        if name.state not in (ABSENT, UNUSABLE):
            os.utime(name.path)
            self.done("touched")

    def swap(self, host, name):
        """`mv dist old; mv new dist`, or a link that leads elsewhere."""
        mark = self.mark(host)
        name.begins("swapped", mark)
        current = os.path.join(self.outside, host, "dist" if name.form == "link" else "site")
        new = f"{current}-{self.count}"
        os.makedirs(os.path.join(new, ".well-known"))
        write(os.path.join(new, ".well-known", FILE), association(mark))
        old = f"{current}-old-{self.count}"
        os.rename(current, old)
        os.rename(new, current)
        self.ends(name, mark)
        if self.chance.random() < 0.5:
            shutil.rmtree(old)
        self.done("swapped")

    def redeploy(self, host, name):
        """`rm -rf a.com && cp -r src a.com`."""
        if not self.can_be_absent(name):
            return self.rewrite(host, name)
        entry = os.path.join(self.folder, host)
        source = os.path.join(self.root, "source")
        shutil.rmtree(source, ignore_errors=True)
        shutil.copytree(entry, source)
        mark = self.mark(host)
        write(source + name.path[len(entry):], association(mark))
        name.begins("removed", ABSENT)
        shutil.rmtree(entry)
        name.ends(ABSENT)
        name.begins("copied", mark)
        shutil.copytree(source, entry)
        name.ends(mark)
        self.done("redeployed")

    # Operations on the whole folder

    def whole_folder(self):
        for host in list(self.locked):
            self.unlock(host)
        operation = self.choose([
            self.remove_and_copy, self.remove_and_copy, self.copy_slowly, self.swap_folder, self.unpack, self.close,
            self.lose, self.lose_on_purpose, self.hang_up])
        operation()
        self.done(operation.__name__.replace("_", " "))

    def next_folder(self):
        """A copy of the folder with a new version for each host that has a file in it."""
        new = os.path.join(self.root, "next")
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(self.folder, new, symlinks=True)
        marks = {}
        for host, name in self.names.items():
            if name.path.startswith(self.folder + "/") and os.path.exists(name.path):
                marks[host] = self.mark(host)
                write(new + name.path[len(self.folder):], association(marks[host]))
        return new, marks

    def change_all(self, what, marks, change, takes_away=False, may_be_slow=False):
        """A change of the whole folder; one that takes names away may take too long."""
        for host, mark in marks.items():
            self.names[host].begins(what, mark)
        for name in self.everything():
            name.withholds(what)
        start = time.monotonic()
        change()
        is_slow = time.monotonic() - start > self.settings.withdraw_after * 0.9
        for name in self.everything():
            name.believes(takes_away)
            if is_slow and takes_away and not may_be_slow:
                name.permits_absence("slow: " + what)
        for host, mark in marks.items():
            self.names[host].ends(mark)

    def remove_and_copy(self):
        new, marks = self.next_folder()

        def change():
            if self.chance.random() < 0.5:
                shutil.rmtree(self.folder)
                shutil.copytree(new, self.folder, symlinks=True)
            else:
                subprocess.run(f"rm -rf {self.folder}/* && cp -r {new}/* {self.folder}", shell=True,
                               check=True)
        self.change_all("folder removed and copied", marks, change, takes_away=True)

    def copy_slowly(self):
        """All is removed at once, and comes back one by one."""
        new, marks = self.next_folder()

        def change():
            subprocess.run(f"rm -rf {self.folder}/*", shell=True, check=True)
            entries = os.listdir(new)
            self.chance.shuffle(entries)
            pause = self.chance.uniform(0, self.settings.withdraw_after * 4) / len(entries)
            for entry in entries:
                subprocess.run(["cp", "-a", os.path.join(new, entry), self.folder], check=True)
                time.sleep(min(pause, self.settings.withdraw_after / 4))
        self.change_all("removed and copied slowly", marks, change, takes_away=True, may_be_slow=True)

    def swap_folder(self):
        new, marks = self.next_folder()
        old = f"{self.folder}-old"

        def change():
            shutil.rmtree(old, ignore_errors=True)
            os.rename(self.folder, old)
            os.rename(new, self.folder)
        self.change_all("folder swapped", marks, change, takes_away=True)

    def unpack(self):
        new, marks = self.next_folder()
        self.change_all("archive unpacked", marks, lambda: subprocess.run(
            f"tar -C {new} -cf - . | tar -C {self.folder} -xf -", shell=True, check=True))

    def close(self):
        """`chmod 000`, or the effect of `chmod -R 644` on a folder."""
        mode = self.chance.choice([0o000, 0o644, 0o311])

        def change():
            os.chmod(self.folder, mode)
            path = self.chance.choice(list(self.names.values())).path
            if os.path.exists(path) and self.chance.random() < 0.5:
                os.utime(path)
            time.sleep(self.chance.uniform(0, self.settings.withdraw_after * 2))
            os.chmod(self.folder, 0o755)
        self.change_all(f"folder has mode {mode:o}", {}, change)

    def lose(self):
        self.withhold(lambda: time.sleep(self.chance.uniform(0, self.settings.withdraw_after * 2.5)))

    def lose_on_purpose(self):
        """An empty folder, which is confirmed after it was reported: all is withdrawn."""
        def confirm():
            time.sleep(self.settings.withdraw_after + self.settings.allowance)
            for name in self.everything():
                name.permits_absence("confirmed")
            self.is_meant = True
            self.confirm()
            time.sleep(self.chance.uniform(0, 1))
        self.withhold(confirm)
        time.sleep(self.settings.allowance)
        self.is_meant = False

    def withhold(self, meanwhile):
        away = f"{self.folder}-away"
        is_missing = self.chance.random() < 0.5
        what = "folder moved away" if is_missing else "folder emptied"
        for name in self.everything():
            name.withholds(what)
        os.rename(self.folder, away)
        if not is_missing:
            os.mkdir(self.folder)
        meanwhile()
        if not is_missing:
            os.rmdir(self.folder)
        os.rename(away, self.folder)
        for name in self.everything():
            name.believes()

    def hang_up(self):
        self.signal()

