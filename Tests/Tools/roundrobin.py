#!/usr/bin/env python3
"""A balancer that gives each connection to the next of several servers, all on 127.0.0.1.

  roundrobin.py LISTEN-PORT SERVER-PORT...
"""
import itertools, socket, sys, threading


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


listen, *ports = map(int, sys.argv[1:])
listener = socket.create_server(('127.0.0.1', listen), backlog=100)
for port in itertools.cycle(ports):
    client, _ = listener.accept()
    server = socket.create_connection(('127.0.0.1', port))
    threading.Thread(target=copy, args=(client, server), daemon=True).start()
    threading.Thread(target=copy, args=(server, client), daemon=True).start()
