#!/usr/bin/env python3
"""A name server on 127.0.0.1 in which every name has one IPv4 address, and no other record.

  nameserver.py PORT ADDRESS
"""
import socket, sys

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(('127.0.0.1', int(sys.argv[1])))
while True:
    query, client = server.recvfrom(4096)
    # The name ends with an empty label; its type and class follow.
    end = query.index(0, 12) + 5
    found = query[end - 4:end - 2] == b'\0\1'
    head = query[:2] + b'\x81\x80\0\1' + bytes([0, found]) + bytes(4)
    answer = b'\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4' + socket.inet_aton(sys.argv[2]) if found else b''
    server.sendto(head + query[12:end] + answer, client)
