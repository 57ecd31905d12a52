"""A system call filter for sandboxed workers, as the program that bubblewrap hands to the kernel.

It refuses what no answer needs and what escapes the other limits: memory that belongs to no process
(``memfd_create``, System V shared memory), new namespaces, other processes' memory, keys, tracing, io_uring,
and sockets of other families than UNIX and INET.
"""

import platform
import struct

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _EPERM, _ENOSYS, _EAFNOSUPPORT = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026, 0x00050061
_CLONE_NEWUSER = 0x10000000
_X32 = 0x40000000
_UNIX, _INET, _INET6 = 1, 2, 10

# the same numbers on both: pidfd_getfd, io_uring_*, the new mount calls, memfd_secret
_COMMON = (438, 425, 426, 427, 428, 429, 430, 431, 432, 433, 442, 447)
_CLONE3 = 435
# machine: its number in the kernel's audit interface, clone, socket, socketpair, and
# memfd_create shmget msgget semget unshare setns mount umount2 pivot_root keyctl add_key request_key bpf
# perf_event_open userfaultfd ptrace process_vm_readv process_vm_writev open_by_handle_at
_MACHINES = {
    "x86_64": (
        0xC000003E,
        56,
        (41, 53),
        (319, 29, 68, 64, 272, 308, 165, 166, 155, 250, 248, 249, 321, 298, 323, 101, 310, 311, 304),
    ),
    "aarch64": (
        0xC00000B7,
        220,
        (198, 199),
        (279, 194, 186, 190, 97, 268, 40, 39, 41, 219, 217, 218, 280, 241, 282, 117, 270, 271, 265),
    ),
}


def seccomp_program() -> bytes | None:
    """The filter for this machine; None for one whose system calls are not known here."""
    if platform.machine() not in _MACHINES:
        return None
    machine, clone, (socket, socketpair), refused = _MACHINES[platform.machine()]

    def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("<HBBI", code, if_true, if_false, value)

    def when(code: int, value: int, result: int) -> bytes:
        return step(code, value, 0, 1) + step(_RETURN, result)

    program = step(_LOAD, _MACHINE) + step(_EQUAL, machine, 1, 0) + step(_RETURN, _KILL)
    program += step(_LOAD, _NUMBER) + when(_AT_LEAST, _X32, _EPERM)
    for number in (*refused, *_COMMON):
        program += when(_EQUAL, number, _EPERM)
    # the C library makes threads with clone where there is no clone3, whose flags a filter cannot read
    program += when(_EQUAL, _CLONE3, _ENOSYS)
    program += step(_EQUAL, socket, 1, 0) + step(_EQUAL, socketpair, 0, 6) + step(_LOAD, _FIRST_ARGUMENT)
    program += step(_EQUAL, _UNIX, 2, 0) + step(_EQUAL, _INET, 1, 0) + step(_EQUAL, _INET6, 0, 1)
    program += step(_RETURN, _ALLOW) + step(_RETURN, _EAFNOSUPPORT)
    program += (
        step(_EQUAL, clone, 0, 3) + step(_LOAD, _FIRST_ARGUMENT) + when(_ANY_BIT, _CLONE_NEWUSER, _EPERM)
    )
    return program + step(_RETURN, _ALLOW)
