"""LLVM at work: code is optimised, kept on the disk, and lies in memory ready to be called."""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm

from simcore import compiling
from simcore.codecache import CodeFiles
from simcore.jit import CACHE_FOLDER, processor

_lock = threading.Lock()
_addresses: dict[str, int] = {}


_OPTIONS = (
    "-phi-node-folding-threshold=8",
    "-two-entry-phi-node-folding-threshold=12",
    "-disable-cgp-select2branch",
    "-disable-select-optimize",
    "-x86-cmov-converter=0",
    "-sink-common-insts=0",
    "-unroll-runtime=false",
    "-unroll-allow-partial=false",
)
"""LLVM shall do short things in any case, rather than branch by what no processor can guess.

It shall not make one store to either of two places of two stores: what is read from there next it
would no longer know. And of loops it shall unroll those only that it does away with, or of which
the first turn is another than the rest.
"""


class _Engine:
    """What makes code and holds it; there is one."""

    def __init__(self) -> None:
        for option in _OPTIONS:
            llvm.set_option("cardlab", option)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple()
        self.cpu, self.features = processor()
        self.triple = llvm.get_process_triple()
        self.target = target.create_target_machine(
            cpu=self.cpu,
            features=self.features,
            opt=3,
            reloc="static" if self.triple.startswith("x86_64") else "default",
            codemodel="jitdefault",
            jit=True,
        )
        nothing = llvm.parse_assembly(f'target triple = "{self.triple}"')
        self.engine = llvm.create_mcjit_compiler(nothing, self.target)

    def object_of(self, text: str) -> bytes:
        """Return the machine code of a module."""
        module = llvm.parse_assembly(f'target triple = "{self.triple}"\n{text}')
        module.data_layout = str(self.target.target_data)
        module.verify()
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = False
        tuning.slp_vectorization = False
        builder = llvm.create_pass_builder(self.target, tuning)
        builder.getModulePassManager().run(module, builder)
        return bytes(self.target.emit_object(module))


_engines: list[_Engine] = []


def address_of(text: str, entry: str, what: str) -> int:
    """Return the address of the one function of a module that is called from outside.

    Parameters
    ----------
    text : str
        In LLVM's language.
    entry : str
        The function's name there.
    what : str
        What is compiled, for those who wait.
    """
    with _lock:
        if not _engines:
            _engines.append(_Engine())
        engine = _engines[0]
        digest = hashlib.blake2b(digest_size=16)
        for part in (text, entry, engine.cpu, engine.features, engine.triple):
            digest.update(part.encode() + b"\0")
        name = f"cardlab_{digest.hexdigest()}"
        if name not in _addresses:
            files = CodeFiles(CACHE_FOLDER / "rules", "unit")
            code = files.load(name)
            if not isinstance(code, bytes):
                compiling.begin(what)
                try:
                    code = engine.object_of(text.replace(f"@{entry}(", f"@{name}("))
                finally:
                    compiling.end()
                files.save(name, code)
            engine.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            engine.engine.finalize_object()
            _addresses[name] = engine.engine.get_function_address(name)
        return _addresses[name]


def function_at(address: int, count: int) -> Callable[..., Any]:
    """Return a function of so many whole numbers as Python calls it, without holding its lock."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)(address)
