"""The common part of the operations on both folders."""

import random
import time

from oracle_model import ABSENT


class Operations:
    """Operations on one folder. A subclass has `restore` and `remove` for one host."""

    # The prefix of an operation in the record.
    label = ""

    def __init__(self, root, names, settings, record, seed):
        self.root, self.names, self.settings, self.record = root, names, settings, record
        self.chance = random.Random(f"{seed}-{type(self).__name__.lower()}")
        self.count = 0
        self.only = None
        self.unwanted = []

    def choose(self, operations):
        """One of those that are wanted."""
        wanted = [one for one in operations if one.__name__ not in self.unwanted
                  and (not self.only or one.__name__ in self.only)]
        return self.chance.choice(wanted or [self.nothing])

    def nothing(self, *_):
        pass

    def done(self, what):
        self.record.operation(self.label + what)

    def can_be_absent(self, name):
        """Absence is proven only where presence was seen, and few others are absent."""
        absent = sum(1 for other in self.names.values() if other.state == ABSENT)
        return name.may_be_absent and absent * 4 < len(self.names)

    def short_absence(self, host, name):
        if not self.can_be_absent(name):
            return self.restore(host, name)
        self.remove(name)
        time.sleep(self.chance.uniform(0, self.settings.withdraw_after * 0.5))
        self.restore(host, name)
        self.done("absent for a moment")

    def long_absence(self, host, name):
        if not self.can_be_absent(name):
            return self.restore(host, name)
        self.remove(name)
        self.done("absent")
