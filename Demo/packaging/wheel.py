#!/usr/bin/env python3
"""Makes a wheel of programs: wheel.py PROGRAMS LICENSE PARTS VERSION PLATFORM FOLDER

PROGRAMS is a folder of them; PARTS has the folder "licenses", of what the authors of their parts
ask to be handed on, and the file "versions", which says which parts they are.
The same content gives the same bytes. Prints the wheel's path.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

NAME = "onewaysynchronizer"
METADATA = """\
Metadata-Version: 2.4
Name: {name}
Version: {version}
Summary: Keeps folders, tables and documents in step with a server: mirror, records and documents
Author: The OneWaySynchronizer developers
License-Expression: {license}
{files}Keywords: mirror,sync,catalog,offline
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Internet :: WWW/HTTP
Classifier: Topic :: System :: Archiving :: Mirroring
Description-Content-Type: text/markdown

Three programs for Linux, with all that they need but the C library:

- `mirror` keeps a folder equal to a remote catalog, in one direction;
- `records` makes tables of a database equal to JSON;
- `documents` keeps JSON that is edited offline in step with a server.

Each tells more with `--help`, and which libraries it was made of with `--version`.
Linked in are, as Debian names what they were built from:

{versions}
"""
LICENSE = " AND ".join([
    "MIT", "Apache-2.0", "Apache-2.0 WITH Swift-exception", "curl", "blessing", "Zlib",
    "GPL-3.0-or-later WITH GCC-exception-3.1", "LicenseRef-Public-Domain",
])
WHEEL = """\
Wheel-Version: 1.0
Generator: {name}
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def content(programs, license, parts, version, platform):
    """What the wheel holds: names, bytes, and whether it is a program."""
    about = f"{NAME}-{version}.dist-info"
    texts = {"LICENSE": license.read_bytes()}
    for part in sorted((parts / "licenses").iterdir()):
        texts[f"parts/{part.name}"] = part.read_bytes()
    versions = (parts / "versions").read_text().splitlines()
    metadata = METADATA.format(
        name=NAME, version=version, license=LICENSE,
        files="".join(f"License-File: {name}\n" for name in texts),
        versions="".join(f"- {part}\n" for part in versions).rstrip())
    for program in sorted(programs.iterdir()):
        yield f"{NAME}-{version}.data/scripts/{program.name}", program.read_bytes(), True
    for name, text in texts.items():
        yield f"{about}/licenses/{name}", text, False
    yield f"{about}/METADATA", metadata.encode(), False
    yield f"{about}/WHEEL", WHEEL.format(name=NAME, platform=platform).encode(), False


def write(path, files, about):
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        def add(name, data, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, data)

        for name, data, is_program in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
            add(name, data, 0o755 if is_program else 0o644)
        add(f"{about}/RECORD", (record + f"{about}/RECORD,,\n").encode(), 0o644)


def main():
    programs, license, parts = map(pathlib.Path, sys.argv[1:4])
    version, platform, folder = sys.argv[4:]
    path = pathlib.Path(folder) / f"{NAME}-{version}-py3-none-{platform}.whl"
    files = content(programs, license, parts, version, platform)
    write(path, files, f"{NAME}-{version}.dist-info")
    print(path)


main()
