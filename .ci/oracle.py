"""What the scripts share that hold rtcluster against other programs of Python."""

import argparse
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent


def parser(name, doc, tables, data):
    """Returns a parser of the arguments that the scripts share, by their name, their
    description, how many tables they make, and the folder of their sets in shared."""
    parser = argparse.ArgumentParser(prog=name, description=doc.split("\n\n")[0])
    parser.add_argument("program", nargs="?", type=pathlib.Path, help="a built rtcluster; without it one is built")
    parser.add_argument("--here", action="store_true", help="use the packages of this Python")
    parser.add_argument("--tables", type=int, default=tables, help="how many tables are made (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="what they are made from (%(default)s)")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared" / data, help="where the published sets are (%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="compare only what has this in its name")
    parser.add_argument("--plant", action="store_true", help="falsify one answer of ours, which must be found")
    return parser


def elsewhere(script, folder, *packages):
    """Runs a script again where the current packages are, and returns how it ended."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)
    return subprocess.run([python, script, "--here", *sys.argv[1:]]).returncode


def built(program, folder):
    """Returns the program that was named, or builds one in a folder."""
    if program:
        return program.resolve()
    program = folder / "rtcluster"
    subprocess.run(["go", "build", "-o", program, "./cmd/rtcluster"], cwd=ROOT, check=True)
    return program
