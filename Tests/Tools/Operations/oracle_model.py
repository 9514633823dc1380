"""The permitted answers for a name at a moment, and the time from a change to its first answer.

A name is a host with its association file, or one with its certificate. What is on disk is known
only from before an operation until after it; whoever asks within `allowance` of a change may be given
what was before.
"""

import statistics
import threading
import time

ABSENT = "404"  # for a certificate: no handshake for the name
UNUSABLE = "503"


class Settings:
    """Seconds: a name that is missing for `withdraw_after` is absent, and every change is answered
    within `allowance`."""

    def __init__(self, withdraw_after, allowance):
        self.withdraw_after = withdraw_after
        self.allowance = allowance


class Reference:
    """The missing names of one folder or list, and the names that went missing or came back since
    the last time that none was missing. The first time that one does, the withdrawal of the others
    waits."""

    def __init__(self):
        self.missing, self.changed, self.last = set(), set(), 0.0

    def change(self, text, is_back, now):
        if (text, is_back) not in self.changed:
            self.changed.add((text, is_back))
            self.last = now
        if is_back:
            self.end(text)
        else:
            self.missing.add(text)

    def end(self, text):
        """The name is back, or may have been withdrawn."""
        self.missing.discard(text)
        if not self.missing:
            self.changed.clear()

    def clear(self):
        self.missing.clear()
        self.changed.clear()


class Name:
    """One name: its files on disk, and the permitted answers."""

    def __init__(self, text, kind, settings, record, reference):
        self.text, self.kind, self.settings, self.record = text, kind, settings, record
        self.reference = reference
        # The answer as long as there was no good version.
        self.nothing = UNUSABLE if kind == "domains" else ABSENT
        self.lock = threading.Lock()
        self.state = ABSENT  # or UNUSABLE, or a version
        self.before = self.since = 0.0  # around the operation that made it so
        self.returned = 0.0  # when it was last there again
        self.permitted = {ABSENT}
        self.retired = {}  # answers that were permitted, and until when
        self.is_changing = False  # an operation is under way: nothing is proven
        self.is_withheld = False  # the folder is not to be believed: nothing may change
        self.awaited = None  # the version that is waited for, and since when
        self.history = []

    # Operations

    def begins(self, what, state):
        """Before anything is touched: the new state may be seen from now on."""
        with self.lock:
            now = time.monotonic()
            self.advance(now, now)
            self.history = self.history[-7:] + [(now, what, state)]
            if state == ABSENT:
                self.before = now
            elif self.permitted & {ABSENT, UNUSABLE}:
                self.permitted.add(self.nothing)
            if state not in (ABSENT, UNUSABLE):
                self.permitted.add(state)
            self.awaited = None
            self.is_changing = True

    def ends(self, state):
        """The operation is done: from now on the clock runs."""
        with self.lock:
            now = time.monotonic()
            self.advance(now, now)
            if self.state == ABSENT:
                self.returned = now
            if ABSENT in (self.state, state):
                self.reference.change(self.text, state != ABSENT, now)
            self.state, self.since, self.is_changing = state, now, False
            if state not in (ABSENT, UNUSABLE):
                self.awaited = (state, now)

    def starts(self):
        """The server has not been started yet: it will find the current files."""
        self.permitted, self.awaited = {self.state}, None

    def withholds(self, what):
        with self.lock:
            now = time.monotonic()
            self.advance(now, now)
            self.history = self.history[-7:] + [(now, what, "withheld")]
            self.is_withheld = True

    def believes(self, was_away=True):
        """The folder is as it was: absence must be proven again."""
        with self.lock:
            self.is_withheld = False
            self.since = time.monotonic()
            if was_away:
                self.returned = self.since
            if self.awaited:
                self.awaited = (self.awaited[0], self.since)

    def permits_absence(self, what):
        """It was said that the absence is meant, or an operation took as long as an absence."""
        with self.lock:
            self.history = self.history[-7:] + [(time.monotonic(), what, ABSENT)]
            self.permitted.add(ABSENT)

    def restarts(self):
        """The server is started again: what is missing now was never there for it."""
        with self.lock:
            now = time.monotonic()
            self.advance(now, now)
            self.history = self.history[-7:] + [(now, "restart", self.state)]
            self.returned = now
            self.reference.clear()
            if self.state == ABSENT:
                self.permitted.add(ABSENT)

    @property
    def may_be_absent(self):
        """Whether the server must have seen that it is there, or was never given a doubt."""
        with self.lock:
            now = time.monotonic()
            self.advance(now, now)
            is_quiet = not self.is_withheld and not self.is_changing
            return (is_quiet and self.state not in (ABSENT, UNUSABLE)
                    and now - self.returned > self.settings.allowance)

    # Answers

    def advance(self, start, end):
        """The answers permitted by the end of a request, and the absences proven by its start."""
        settings = self.settings
        waited = -1.0 if self.is_withheld or self.is_changing else start - self.since
        if self.state == ABSENT:
            if end - self.before >= settings.withdraw_after:
                self.permitted.add(ABSENT)
                self.reference.end(self.text)
            waited = min(waited, start - self.reference.last)
            if waited > settings.withdraw_after + settings.allowance:
                self.keep_only({ABSENT}, start)
        elif self.state == UNUSABLE:
            if self.permitted & {ABSENT, UNUSABLE}:
                self.permitted.add(self.nothing)
            if waited > settings.allowance and self.nothing != ABSENT:
                self.keep_only(self.permitted - {ABSENT}, start)
        elif waited > settings.allowance:
            self.keep_only({self.state}, start)

    def keep_only(self, answers, now):
        for answer in self.permitted - answers:
            self.retired[answer] = now
        self.permitted &= answers

    def judge(self, answer, start, end):
        """Counts an answer to a request that was under way from `start` to `end`."""
        with self.lock:
            self.advance(start, end)
            is_right = answer in self.permitted or self.retired.get(answer, 0) >= start
            if self.awaited and answer == self.awaited[0]:
                self.record.latency(self.kind, max(0.0, end - self.awaited[1]))
                self.awaited = None
            wrong = None if is_right else self.explain(answer, start, end)
        self.record.answer(self.kind, *(wrong or ()))

    def explain(self, answer, start, end):
        # Similar faults are reported once.
        likeness = (self.kind, answer if answer in (ABSENT, UNUSABLE) else "another version",
                    self.history[-1][1] if self.history else "")
        past = "; ".join(
            f"{when - end:+.2f} s {what} -> {state}" for when, what, state in self.history)
        return likeness, (
            f"{self.text}: {answer} instead of {sorted(self.permitted)} after "
            f"{end - start:.3f} s; before: {past}")


class Record:
    """The counters."""

    def __init__(self):
        self.lock = threading.Lock()
        self.start = time.monotonic()
        self.counts, self.wrong, self.operations, self.latencies = {}, [], {}, {}

    def answer(self, kind, likeness=None, details=None):
        """Counts an answer; a wrong one with its kind and its details."""
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            if likeness:
                self.wrong.append((time.monotonic() - self.start, kind, likeness, details))

    def operation(self, what):
        with self.lock:
            self.operations[what] = self.operations.get(what, 0) + 1

    def latency(self, kind, seconds):
        with self.lock:
            self.latencies.setdefault(kind, []).append(seconds)

    def report(self):
        lines = ["operations: " + ", ".join(
            f"{what} {count}" for what, count in sorted(self.operations.items()))]
        for kind, values in sorted(self.latencies.items()):
            values.sort()
            lines.append(
                f"{kind}: {len(values)} changes answered after {statistics.median(values):.3f} s "
                f"(median), {values[len(values) * 95 // 100]:.3f} s (95 %), {values[-1]:.3f} s (max)")
        for kind, count in sorted(self.counts.items()):
            wrong = sum(1 for entry in self.wrong if entry[1] == kind)
            lines.append(f"{kind}: {count} answers, {wrong} wrong")
        alike = {}
        for moment, _, likeness, details in self.wrong:
            alike.setdefault(likeness, []).append((moment, details))
        for likeness, entries in list(alike.items())[:40]:
            moment, details = entries[0]
            lines.append(f"{len(entries)} wrong, first at {moment:.2f} s: {details or likeness}")
        return "\n".join(lines)
