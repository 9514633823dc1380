#!/usr/bin/env python3
"""A balancer that gives each connection to the next of several servers, all on 127.0.0.1.

  roundrobin.py LISTEN-PORT SERVER-PORT[:ADMIN-PORT]...

A server with an admin port gets connections only while /readyz?listener=http is 200 there, as it is
asked each half second. Without any server a connection is closed, as a load balancer does.
"""
import itertools, socket, sys, threading, time, urllib.request


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def check(port, admin):
    while True:
        try:
            urllib.request.urlopen(f'http://127.0.0.1:{admin}/readyz?listener=http', timeout=2)
            good.add(port)
        except OSError:
            good.discard(port)
        time.sleep(0.5)


listen = int(sys.argv[1])
servers = [list(map(int, text.split(':'))) for text in sys.argv[2:]]
good = {port for port, *admin in servers if not admin}
for port, *admin in servers:
    if admin:
        threading.Thread(target=check, args=(port, *admin), daemon=True).start()
listener = socket.create_server(('127.0.0.1', listen), backlog=100)
order = itertools.cycle([port for port, *_ in servers])
while True:
    client, _ = listener.accept()
    port = next((port for port in itertools.islice(order, len(servers)) if port in good), None)
    try:
        server = socket.create_connection(('127.0.0.1', port)) if port else None
    except OSError:
        server = None
    if not server:
        client.close()
        continue
    threading.Thread(target=copy, args=(client, server), daemon=True).start()
    threading.Thread(target=copy, args=(server, client), daemon=True).start()
