"""Random operations on lists of hosts, in the domains folder."""

import os
import time

from oracle_model import ABSENT, Name, Reference
from oracle_operations import Operations


class Lists(Operations):
    """Each list lends the file of its entry, which never changes, to its hosts."""

    label = "list "

    def __init__(self, root, settings, record, seed, confirm, lists=2, hosts=8):
        self.hosts = {f"list{number}": [f"l{number}-{index}.test" for index in range(hosts)]
                      for number in range(lists)}
        references = {entry: Reference() for entry in self.hosts}
        names = {host: Name(host, "lists", settings, record, references[entry])
                 for entry, hosts in self.hosts.items() for host in hosts}
        super().__init__(root, names, settings, record, seed)
        self.confirm = confirm
        self.folder = os.path.join(root, "domains")

    def make(self, association):
        for entry, hosts in self.hosts.items():
            with open(os.path.join(self.folder, entry + ".json"), "wb") as file:
                file.write(association(entry))
            for host in hosts:
                self.names[host].begins("made", entry)
            self.write(entry, hosts)
            for host in hosts:
                self.names[host].ends(entry)

    def step(self):
        entry = self.chance.choice(list(self.hosts))
        operation = self.choose([
            self.change, self.change, self.change, self.cut, self.overwrite, self.write_slowly,
            self.cut_on_purpose])
        operation(entry)
        self.done(operation.__name__.replace("_", " "))

    def path(self, entry):
        return os.path.join(self.folder, entry + ".hosts")

    def write(self, entry, hosts):
        text = "".join(host + "\n" for host in hosts)
        if self.chance.random() < 0.5:
            with open(self.path(entry), "w") as file:
                file.write(text)
        else:
            with open(self.path(entry) + ".new", "w") as file:
                file.write(text)
            os.replace(self.path(entry) + ".new", self.path(entry))

    def listed(self, entry):
        return [host for host in self.hosts[entry] if self.names[host].state != ABSENT]

    def change(self, entry):
        """One line less, or all lines again."""
        hosts = self.listed(entry)
        can_drop = [host for host in hosts if self.can_be_absent(self.names[host])]
        if len(hosts) < len(self.hosts[entry]) or not can_drop:
            return self.write_all(entry)
        dropped = self.chance.choice(can_drop)
        self.names[dropped].begins("line removed", ABSENT)
        self.write(entry, [host for host in hosts if host != dropped])
        self.names[dropped].ends(ABSENT)

    def write_all(self, entry):
        missing = [host for host in self.hosts[entry] if self.names[host].state == ABSENT]
        for host in missing:
            self.names[host].begins("line added", entry)
        self.write(entry, self.hosts[entry])
        for host in missing:
            self.names[host].ends(entry)

    def cut(self, entry):
        """`head -c` of less than half: the others stay until that is confirmed."""
        self.damage(entry, self.cut_file, lambda: self.wait(2.5))

    def overwrite(self, entry):
        """Something else under the name of the list, perhaps with a host name in it."""
        text = self.chance.choice(["", "<html>\n<p>404</p>\n", "<html>\nother.test\n", "\0\0\0"])
        self.damage(entry, lambda path, _: write(path, text.encode()), lambda: self.wait(2.5))

    def cut_on_purpose(self, entry):
        def meanwhile():
            time.sleep(self.settings.withdraw_after + self.settings.allowance)
            for host in self.hosts[entry]:
                self.names[host].permits_absence("confirmed")
            self.confirm()
            self.wait(0.5)
        self.damage(entry, self.cut_file, meanwhile)

    def write_slowly(self, entry):
        """In place, in pieces, in less time than withdrawing takes."""
        def change(path, text):
            step = max(1, len(text) // 6)
            with open(path, "wb", buffering=0) as file:
                for start in range(0, len(text), step):
                    file.write(text[start:start + step])
                    time.sleep(self.settings.withdraw_after / 20)
        self.damage(entry, change, lambda: None)

    def cut_file(self, path, text):
        write(path, text[:self.chance.randrange(len(text) * 2 // 5)])

    def wait(self, most):
        time.sleep(self.chance.uniform(0, self.settings.withdraw_after * most))

    def damage(self, entry, change, meanwhile):
        """A change of the list that means nothing, and the whole list again."""
        self.write_all(entry)
        names = [self.names[host] for host in self.hosts[entry]]
        if not all(name.may_be_absent for name in names):
            return
        for name in names:
            name.withholds("list damaged")
        with open(self.path(entry), "rb") as file:
            text = file.read()
        change(self.path(entry), text)
        meanwhile()
        self.write(entry, self.hosts[entry])
        for name in names:
            name.believes()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
