"""Holds listening sockets, as a service manager does, and runs a program that accepts from them.

    activator.py NAME[,NAME…] PROGRAM [ARGUMENT…]

Opens one socket on a free port of 127.0.0.1 for each NAME and prints `socket NAME PORT`. The program
gets them from descriptor 3 on, with LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES (sd_listen_fds(3)).
`-` stands for a socket without a name; the variable is left out when no socket has one.

A line on the standard input: `restart` ends the program with SIGTERM and starts it again once it has
ended; `exited CODE` is printed, and `started PROCESS` each time. The end of the input ends the program and this one, with its code.
"""

import os
import signal
import socket
import sys

names = sys.argv[1].split(",")
command = sys.argv[2:]
sockets = []
for name in names:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(4096)
    sockets.append(listening)
    print("socket", name, listening.getsockname()[1], flush=True)


def start():
    child = os.fork()
    if child:
        print("started", child, flush=True)
        return child
    # First out of the way of the numbers that they are to have.
    high = [os.dup(s.fileno()) for s in sockets]
    while min(high) < 3 + len(high):
        high = [os.dup(number) for number in high]
    for index, number in enumerate(high):
        os.dup2(number, 3 + index, inheritable=True)
    os.closerange(3 + len(high), 256)
    environment = dict(os.environ, LISTEN_FDS=str(len(high)), LISTEN_PID=str(os.getpid()))
    if any(name != "-" for name in names):
        environment["LISTEN_FDNAMES"] = ":".join("" if n == "-" else n for n in names)
    # Not our input: its end is for us.
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.execve(command[0], command, environment)


def stop(child):
    os.kill(child, signal.SIGTERM)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("exited", code, flush=True)
    return code


child = start()
while True:
    line = sys.stdin.readline()
    code = stop(child)
    if line.strip() != "restart":
        sys.exit(code)
    child = start()
