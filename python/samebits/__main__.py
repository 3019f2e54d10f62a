# SPDX-License-Identifier: BSD-2-Clause
"""python3 -m samebits COMMAND FILE.py [OPTION...]: the command of samebits, with the contracts and variants of the file.

verify, list, run, replay, shrink, vectors and report take the options and arguments that samebits COMMAND --help shows. Contracts of the
file are --contract-exec, its variants --exec; a file with one of both goes with --module, or with --contract, as others do. The program
samebits is that of the environment variable SAMEBITS, that of the installation which this package belongs to, or the one in PATH.
"""
import importlib.util
import os
import shlex
import sys

PACKAGE = os.path.dirname(os.path.abspath(__file__))
# Started by the name of this directory, which is not the place to look for modules.
if sys.path and os.path.abspath(sys.path[0] or ".") == PACKAGE:
    sys.path[0] = os.path.dirname(PACKAGE)


def program():
    beside = os.path.normpath(os.path.join(PACKAGE, "..", "..", "..", "..", "bin", "samebits"))
    return os.environ.get("SAMEBITS") or (beside if os.access(beside, os.X_OK) else "samebits")


def load(path):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("samebits_file", path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr if arguments[:1] != ["--help"] else sys.stdout)
        return 2 if arguments[:1] != ["--help"] else 0
    command, path, *rest = arguments
    if not path.endswith(".py"):
        print(f"samebits: {path}: a FILE.py is wanted; python3 -m samebits --help", file=sys.stderr)
        return 2
    try:
        from samebits import contracts, protocol, variants
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        print(f"samebits: the package samebits needs NumPy, which {sys.executable} lacks (Debian package python3-numpy, for /usr/bin/python3)", file=sys.stderr)
        return 2
    if not os.path.exists(path):
        print(f"samebits: {path}: no such file", file=sys.stderr)
        return 2
    if command == "serve":
        # What the file prints while it is loaded must not go where records go.
        out = os.dup(1)
        os.dup2(2, 1)
        load(path)
        os.dup2(out, 1)
        protocol.serve(protocol.declaration() + [f"folder {os.path.dirname(os.path.abspath(path))}"])
        return 0
    load(path)
    serve = shlex.join([sys.executable, PACKAGE, "serve", os.path.abspath(path)])
    options = [f"--contract-exec={serve}"] if contracts else []
    if variants and command in ("verify", "list", "run", "replay", "shrink"):
        options.append(f"--exec={serve}")
    if not options:
        print(f"samebits: {path}: it has no contract and no variant", file=sys.stderr)
        return 2
    if command == "new":
        options = options[:1]
    if "--untrusted" in rest and contracts and variants:
        print(f"samebits: {path}: it has a contract, whose reference a candidate must not see; with --untrusted its variants stand in a file of "
              "their own, judged with --contract-exec='python3 -m samebits serve CONTRACT.py'", file=sys.stderr)
        return 2
    os.environ["SAMEBITS_PYTHON"] = PACKAGE
    try:
        os.execvp(program(), [program(), command, *options, *rest])
    except OSError as error:
        print(f"samebits: {program()}: {error.strerror}; SAMEBITS names the program", file=sys.stderr)
        return 2


sys.exit(main(sys.argv[1:]))
