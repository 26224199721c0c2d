"""Machine code of printed modules: made by Numba in a process of its own, kept, loaded, called.

Code that is found on the disk is loaded by llvmlite alone, which takes milliseconds. Only where a
module is new a process is started that imports Numba (`numba_compiler`); it serves until this
process ends.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from simcore import cache
from simcore.compiling import compilation
from simcore.jit import IN_PLAIN_PYTHON

_START = (
    "import gc; gc.disable(); import sys; sys.path[:] = {!r}; "
    "sys.modules.update(dict.fromkeys(['scipy', 'coverage', 'yaml'])); "
    "from simcore.compiler.numba_compiler import serve; serve()"
)
"""Without collecting garbage, a fifth of the time, for some hundred megabytes.

And without what Numba imports where it is installed, for matrices and tools: a fifth of its start.
"""

PATIENCE = 10.0
"""Seconds that a compiling process is given to end."""

_lock = threading.RLock()
_rewriting = threading.Lock()
"""Programs are read by one thread at a time."""
_addresses: dict[str, int] = {}


@lru_cache
def processor() -> tuple[str, str]:
    """Return the name of this processor and its features, as LLVM has them."""
    return str(llvm.get_host_cpu_name()), str(llvm.get_host_cpu_features().flatten())


@lru_cache
def _versions() -> str:
    """Return what machine code depends on beside its module."""
    parts = ("numba_types.py", "instructions.py", "numba_compiler.py")
    compiler = b"".join(Path(__file__).with_name(part).read_bytes() for part in parts)
    source = hashlib.blake2b(compiler, digest_size=16).hexdigest()
    return " ".join([source, _numba(), llvm.get_process_triple(), *processor()])


def _numba() -> str:
    """Return Numba's version: what reads it from the metadata takes longer than loading code."""
    found = find_spec("numba")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name("_version.py").read_text(encoding="utf-8")


class NotCompiled(Exception):
    """Kinds of values do not fit.

    Attributes
    ----------
    places : list of (str, int)
        Functions of the module, the innermost first, each with the line that calls the one before.
    why : str
    """

    def __init__(self, places: list[tuple[str, int]], why: str) -> None:
        super().__init__(f"{places[0] if places else ''}: {why}")
        self.places, self.why = places, why


class _Loader:
    """Holds the loaded machine code; one in a process."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        nothing = llvm.parse_assembly(f'target triple = "{llvm.get_process_triple()}"')
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        self.engine = llvm.create_mcjit_compiler(nothing, machine)

    def load(self, code: bytes, name: str) -> int:
        """Return the address of a function of some machine code."""
        self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self.engine.finalize_object()
        return int(self.engine.get_function_address(name))


class _Compiler:
    """The process that compiles; it is started when something is to be compiled."""

    def __init__(self) -> None:
        name, features = processor()
        kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
        numba = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features, "NUMBA_OPT": "0"}
        self.owner = os.getpid()
        self.is_asked = False
        self.process = subprocess.Popen(  # noqa: S603 (Python, with our own code)
            [sys.executable, "-W", "ignore", "-c", _START.format(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**kept, **numba},
            start_new_session=True,  # Ctrl-C is for the process that plays
        )

    def object_of(self, text: str, path: str, name: str) -> bytes:
        """Return the machine code of a module."""
        read, write = self.process.stdout, self.process.stdin
        assert read is not None
        assert write is not None
        self.is_asked = True
        try:
            pickle.dump((text, path, name), write)
            write.flush()
            answer: object = pickle.load(read)  # noqa: S301 (from the process started above)
        except (EOFError, BrokenPipeError):
            answer = f"it ended with exit status {self.process.wait()}"
        except BaseException:
            self.process.kill()
            raise
        if isinstance(answer, bytes):
            return answer
        if isinstance(answer, tuple):
            raise NotCompiled(*answer)
        raise RuntimeError(f"{path} was not compiled: {answer}")

    def serves(self) -> bool:
        """Tell whether it runs, and belongs to this process."""
        return self.owner == os.getpid() and self.process.poll() is None

    def end(self) -> None:
        """Close its input, so that it ends; it is waited for, so that its time is accounted for."""
        if self.serves() and self.process.stdin is not None:
            self.process.stdin.close()
            if not self.is_asked:
                self.process.kill()  # it may still be importing Numba
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
            if self.process.stdout is not None:
                self.process.stdout.close()


_loaders: list[_Loader] = []
_compilers: list[_Compiler] = []


@atexit.register
def _end() -> None:
    for compiler in _compilers:
        compiler.end()


class Wanted(NamedTuple):
    """A unit that is to be compiled, or loaded where it is kept.

    Attributes
    ----------
    key : str
        Everything that its machine code depends on, beside the compiler: texts of the same key are
        the same.
    text : callable
        Returns the module; it is asked for only where no machine code is kept.
    family : tuple
        What share most of their functions are alike in this: one process compiles them sooner.
    stem : str
        With which the names of its files begin.
    title : str
        What is compiled, for those who wait.
    """

    key: str
    text: Callable[[], str]
    family: tuple[Any, ...]
    stem: str
    title: str

    @property
    def digest(self) -> str:
        """A hash of all that decides the machine code."""
        return hashlib.blake2b(f"{_versions()}\n{self.key}".encode(), digest_size=16).hexdigest()

    @property
    def file(self) -> str:
        """The name of its files, without the ending."""
        return f"{self.stem}-{self.digest}"


def expect_compiling() -> None:
    """Start a process that compiles, where nothing is kept: it imports Numba while others go on.

    For those who will play, before they import what takes long.
    """
    if not IN_PLAIN_PYTHON and not cache.has_any(".code"):
        with _lock:
            _compiler()


def address_of(wanted: Wanted) -> int:
    """Return the address of the function `entry` of a unit."""
    digest = wanted.digest
    with _lock:
        if digest not in _addresses:
            if not _loaders:
                _loaders.append(_Loader())
            code = cache.load(f"{wanted.file}.code")
            if code is None:
                code = _compiled(wanted, _compiler())
            _addresses[digest] = _loaders[0].load(code, f"cardlab_{digest}")
        return _addresses[digest]


def compile_all(units: Iterable[Wanted]) -> None:
    """Compile what is not kept of several units, in as many processes as there are cores."""
    missing: dict[str, Wanted] = {}
    for wanted in units:
        digest = wanted.digest
        if (
            digest not in _addresses
            and digest not in missing
            and not cache.has(wanted.file + ".code")
        ):
            missing[digest] = wanted
    total, left = len(missing), list(missing.values())
    crew = min(os.cpu_count() or 1, total)
    if crew < 2:
        return  # `address_of` compiles it
    taking = threading.Lock()

    def work(compiler: _Compiler) -> None:
        family: tuple[Any, ...] = ()
        while True:
            with taking:
                if not left:
                    return
                alike = (at for at, wanted in enumerate(left) if wanted.family == family)
                wanted = left.pop(next(alike, 0))
                family, place = wanted.family, total - len(left)
            _compiled(wanted._replace(title=f"{wanted.title}, {place} of {total}"), compiler)

    with _lock:
        _compiler()
        _compilers.extend(_Compiler() for _ in range(crew - len(_compilers)))
        with ThreadPoolExecutor(crew) as pool:
            running = [pool.submit(work, compiler) for compiler in _compilers[:crew]]
            try:
                for one in running:
                    one.result()
            except BaseException:
                left.clear()  # nothing more is begun
                for compiler in _compilers:
                    compiler.process.kill()
                raise


def compile_anew(wanted: Wanted) -> None:
    """Compile a unit, be it kept or not."""
    with _lock:
        _compiled(wanted, _compiler())


def _compiled(wanted: Wanted, compiler: _Compiler) -> bytes:
    """Compile a unit, keep its machine code, and return it."""
    with _rewriting:
        text = wanted.text()
    cache.write(f"{wanted.file}.py", text.encode())
    with compilation(wanted.title):
        path = str(cache.FOLDER / f"{wanted.file}.py")
        code = compiler.object_of(text, path, f"cardlab_{wanted.digest}")
    cache.save(f"{wanted.file}.code", code)
    return code


def _compiler() -> _Compiler:
    _compilers[:] = [compiler for compiler in _compilers if compiler.serves()] or [_Compiler()]
    return _compilers[0]


def function_at(address: int, count: int) -> Callable[..., Any]:
    """Return a Python callable of machine code: it takes `count` integers, releases the GIL."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)(address)
