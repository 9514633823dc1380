"""The served files: association files and certificates, made in a temporary folder."""

import base64
import gzip
import hashlib
import json
import pathlib
import subprocess

PATH = "/.well-known/apple-app-site-association"
LARGE = "large.test"
SMALL_BYTES, LARGE_BYTES = 1_200, 100_000

# NIST P-256, FIPS 186-4 D.1.2.3: field, order, and the base point.
FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BASE = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def host(number: int) -> str:
    """All have the same length, and so have all requests and answers."""
    return f"site{number:05d}.test"


def association(name: str, size: int, version: int = 0) -> bytes:
    """A file as people write them, of this size, with content of its own for each host."""
    application = "9JA89QQLNQ.test." + name.partition(".")[0]
    rules: list[dict] = [
        {"#": "no_universal_links", "exclude": True, "comment": "Stays in the browser"}]
    document = {"applinks": {"details": [{"appIDs": [application], "components": rules}]}}
    topic = hashlib.sha256(name.encode()).hexdigest()[:8]
    while len(text := json.dumps(document, indent=2).encode()) < size:
        # A rule in a large file has neighbours of the same form, as lists of shops or teams have.
        step = max(1, (size - len(text)) // 8_000)
        rules += [
            {"/": f"/{topic}/section{len(rules) + each:04d}/*",
             "comment": f"Every page of this section of the site opens in the app (version "
             f"{version:06d})"} for each in range(step)]
    return text


class Site:
    """A folder as both servers take it: `HOST/.well-known/apple-app-site-association`."""

    def __init__(self, folder: pathlib.Path, hosts: int, large: bool = False):
        self.folder, self.hosts = folder, [host(number) for number in range(hosts)]
        self.domains, self.certificates = folder / "domains", folder / "certificates"
        self.certificates.mkdir(parents=True)
        for name in self.hosts:
            self.write(name, association(name, SMALL_BYTES))
        if large:
            self.write(LARGE, association(LARGE, LARGE_BYTES))
        write_certificates(self.certificates, self.hosts)

    def file(self, name: str) -> pathlib.Path:
        return self.domains / name / PATH[1:]

    def write(self, name: str, content: bytes) -> None:
        file = self.file(name)
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
        # For nginx's gzip_static; the other server compresses by itself.
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(content, 9))


def write_certificates(folder: pathlib.Path, hosts: list[str]) -> None:
    """A certificate and a key for each host.

    openssl makes the first; calling it 10,000 times would take minutes. The others are the first
    with another host and the next key: one more than the one before, so that its public point is
    the last one plus the base point. Their signatures are wrong, which no client here looks at.
    """
    key, certificate = folder / f"{hosts[0]}.key", folder / f"{hosts[0]}.crt"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "90", "-subj", f"/CN={hosts[0]}",
         "-addext", f"subjectAltName=DNS:{hosts[0]}",
         "-keyout", str(key), "-out", str(certificate)],
        check=True, stdin=subprocess.DEVNULL, capture_output=True)
    key.chmod(0o600)
    first_key, first_certificate = bytes_of(key), bytes_of(certificate)
    # RFC 5915: the number follows its tag and length; the uncompressed point is at the end.
    start = first_key.index(b"\x02\x01\x01\x04\x20") + 5
    first_number, first_point = first_key[start:start + 32], first_key[-64:]
    number = int.from_bytes(first_number, "big")
    point = (int.from_bytes(first_point[:32], "big"), int.from_bytes(first_point[32:], "big"))
    for name in hosts[1:]:
        number, point = (number + 1) % ORDER, sum_of(point, BASE)
        number_bytes = number.to_bytes(32, "big")
        point_bytes = point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")
        key = folder / f"{name}.key"
        write_pem(key, "PRIVATE KEY", first_key.replace(first_number, number_bytes)
                  .replace(first_point, point_bytes))
        key.chmod(0o600)
        write_pem(folder / f"{name}.crt", "CERTIFICATE",
                  first_certificate.replace(first_point, point_bytes)
                  .replace(hosts[0].encode(), name.encode()))


def sum_of(left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """Two different points of the curve that are not each other's inverse."""
    slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, FIELD)
    x = (slope * slope - left[0] - right[0]) % FIELD
    return x, (slope * (left[0] - x) - left[1]) % FIELD


def bytes_of(pem: pathlib.Path) -> bytes:
    return base64.b64decode("".join(pem.read_text().splitlines()[1:-1]))


def write_pem(file: pathlib.Path, label: str, content: bytes) -> None:
    text = base64.encodebytes(content).decode()
    file.write_text(f"-----BEGIN {label}-----\n{text}-----END {label}-----\n")
