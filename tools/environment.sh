#!/bin/sh
# Make the virtual environment: find a Python that is new enough, then one pip call.
# Usage: sh tools/environment.sh DIRECTORY        (PYTHON=/path/to/python chooses the interpreter)
set -eu
venv=$1
started=$(date +%s)

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

version() {
    "$1" -c 'import platform; print(platform.python_version())' 2>/dev/null || echo "not a working Python"
}

if [ -n "${PYTHON:-}" ]; then
    if ! new_enough "$PYTHON"; then
        echo "PYTHON=$PYTHON is $(version "$PYTHON"); the course needs Python 3.11 or newer." >&2
        exit 2
    fi
    python=$PYTHON
else
    python=
    for candidate in python3.13 python3.12 python3.11 python3 python; do
        if new_enough "$candidate"; then
            python=$candidate
            break
        fi
    done
    if [ -z "$python" ]; then
        echo "No Python 3.11 or newer on the PATH (python3 is $(version python3))." \
             "Install one, or name it: make PYTHON=/path/to/python3.12 ..." >&2
        exit 2
    fi
fi

if [ -x "$venv/bin/python" ] && ! new_enough "$venv/bin/python"; then
    rm -rf "$venv"
fi
if [ ! -x "$venv/bin/python" ]; then
    echo "Making $venv with $python ($(version "$python"))"
    if ! "$python" -m venv "$venv"; then
        rm -rf "$venv"
        echo "$python cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2
        exit 2
    fi
fi
if [ -e "$venv/.ready" ]; then
    echo "Bringing $venv up to date"
    quiet=--quiet
else
    echo "Installing the course's environment (about a minute and a half and 1.4 GB; with a CUDA build of PyTorch several GB more)"
    quiet=
fi
"$venv/bin/python" -m pip install $quiet --disable-pip-version-check -r requirements.txt
mkdir -p "$venv/etc/jupyter"
cp -R tools/jupyter/. "$venv/etc/jupyter/"
echo $(($(date +%s) - started)) >"$venv/.ready"
