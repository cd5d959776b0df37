"""What the scripts share that hold rtcluster against other programs of Python."""

import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent


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
