"""Numba's part: from the text of a unit to machine code.

`machine` runs this file in a process of its own: importing Numba takes a second, and its compiler
holds a lock. A unit's functions are compiled as they are first called, for the types that they are
called with, into one library, which LLVM optimises once.
"""

from __future__ import annotations

import gc
import itertools
import os
import pickle
import re
import sys
import traceback
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cache
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, signature

from simcore.compiler.instructions import SPACE
from simcore.compiler.numba_types import MARK, N, Row, Table, rows

LLVM_OPTIONS = (
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
the first turn is another than the rest. All of it is worth a tenth in policies of Up or down?, and
little elsewhere; the options hold for a process, which does nothing else.
"""


class Failed(Exception):
    """A unit whose kinds do not fit.

    Attributes
    ----------
    places : list of (str, int)
        Functions, the innermost first, each with the line of the unit's text.
    why : str
    """

    def __init__(self) -> None:
        self.places: list[tuple[str, int]] = []
        self.why = self.text = ""

    def note(self, function: FunctionType, error: Exception) -> None:
        """Note that a function could not be compiled."""
        text = str(error)
        found = re.findall(r"line (\d+):", text)
        line = getattr(getattr(error, "loc", None), "line", 0) or int((found or [0])[-1])
        self.places.append((function.__name__, line))
        self.why = self.why or _in_words(text)
        self.text = self.text or text


def _in_words(text: str) -> str:
    """Return what Numba's error says, in words for those who wrote the rules."""
    if MARK in text:
        return text.partition(MARK)[2].splitlines()[0].strip()
    unified = re.search(r"Cannot unify (.+) and (.+) for '(\S+?)(?:\.\d+)?'", text)
    if unified:
        one, other, name = unified.groups()
        kinds = " here and ".join(sorted(map(_kind, (one, other)), reverse=True))
        name = "it" if name.startswith("$") else f"`{name.removeprefix('_0')}`"
        return f"{name} is {kinds} there"
    attribute = re.search(r"Unknown attribute '(\w+)' of type (\S+)", text)
    if attribute:
        return f"{_kind(attribute[2])} has no `{attribute[1]}`"
    if "Can't unify return type" in text:
        return "it returns a set of cards on one way through it, and a number on another"
    wanted = re.search(r"No implementation of function Function\(<(.+?)>\)", text)
    kinds_given = re.search(r">>> [^(]*\((.*?)\)\n", text)
    if wanted and kinds_given:
        kinds = " and ".join(map(_kind, kinds_given[1].split(", ")))
        return f"{wanted[1].split()[-1]} of {kinds} is not among what rules are written in"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith("Failed in nopython mode")]
    return told[0] if told else "it cannot be compiled"


def _kind(name: str) -> str:
    """Return one of Numba's types in words."""
    name = name.removeprefix("Literal[").split("]")[0]
    if name.startswith("Cards"):
        return "a set of cards"
    known = {"none": "nothing", "float64": "a float", "bool": "true or false"}
    if name in known:
        return known[name]
    return "a number" if name.startswith(("int", "bool")) else "something else"


def object_of(text: str, path: str, name: str) -> bytes:
    """Return the machine code of a unit; its `entry` is called `name` there.

    Parameters
    ----------
    text : str
    path : str
        Where it may be read, for those who debug.
    """
    space: dict[str, Any] = {**SPACE, "_rows": rows, "_table": Table}
    exec(compile(text, path, "exec", dont_inherit=True), space)  # noqa: S102
    module, symbol = together(space, path, name)
    return optimised(module, symbol, name, vectors="\nUNIT_ROW = " in text)  # of a network


def _plain_type(kind: Any) -> Any:
    """Return a type without a value in it: functions are not compiled for single numbers."""
    if isinstance(kind, types.Boolean | types.BooleanLiteral):
        return types.boolean
    return N if isinstance(kind, types.Integer) else kind


_compiled: dict[Any, Any] = {}
"""Numba's descriptions of compiled functions, by what they do and for which types.

Policies of a game share nearly all that they call, so a second one costs a third of the first.
"""

_numbers: dict[Any, int] = {}
"""Functions as they are written, numbered."""

_modules: dict[str, bytes] = {}
"""What LLVM knows of each of them, by its symbol."""


class Library(JITCodeLibrary):  # type: ignore[misc]
    """Keeps the modules of functions one by one; those of a unit are put together at its end."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Keep a function's module."""
        module = llvm.parse_assembly(str(ir_module))
        module.data_layout = self._codegen._data_layout
        code = module.as_bitcode()
        _modules.update((part.name, code) for part in module.functions if not part.is_declaration)

    @staticmethod
    def of(symbol: str) -> Any:
        """Return a module with a function and all that it calls."""
        module = llvm.parse_bitcode(_modules[symbol])
        linked = {symbol}
        while True:
            missing = {part.name for part in module.functions if part.is_declaration}
            missing = {name for name in missing if name in _modules} - linked
            if not missing:
                return module
            for name in sorted(missing):
                module.link_in(llvm.parse_bitcode(_modules[name]))
            linked |= missing


def together(space: dict[str, Any], path: str, name: str) -> tuple[Any, str]:
    """Compile `entry` and all that it calls; return LLVM's module, and the symbol of `entry`."""
    typing, target = cpu_target.typing_context, cpu_target.target_context
    typing.refresh()
    target.refresh()
    pipeline = short_pipeline()
    library = Library(target.codegen(), name)
    functions = {
        key: value
        for key, value in space.items()
        if isinstance(value, FunctionType) and value.__code__.co_filename == path
    }
    meanings = _meanings(functions, space)
    made: dict[Any, Any] = {}
    failed = Failed()

    def build(function: FunctionType, args: Any, result: Any = None) -> Any:
        flags = compiler.Flags()
        flags.no_cpython_wrapper, flags.no_cfunc_wrapper = True, result is None
        flags.no_compile, flags.error_model, flags.nrt = True, "numpy", False
        flags.forceinline = "_seldom" not in function.__code__.co_names
        try:
            return compiler.compile_extra(
                typing, target, function, args, result, flags, {}, library, pipeline_class=pipeline
            ).fndesc
        except NumbaError as error:
            failed.note(function, error)
            raise

    def template(function: FunctionType) -> type:
        class Rule(AbstractTemplate):  # type: ignore[misc]
            key = function

            def generic(self, args: Any, _keywords: Any) -> Any:
                args = tuple(map(_plain_type, args))
                if (function, args) not in made:
                    known = meanings[function.__name__], args
                    if known not in _compiled:
                        _compiled[known] = build(function, args)
                        _compiled[known].typemap = _compiled[known].calltypes = None  # large
                    made[function, args] = _compiled[known]
                    target.insert_user_function(function, made[function, args], [])
                return signature(made[function, args].restype, *args)

        return Rule

    for function in functions.values():
        typing.insert_global(function, types.Function(template(function)))
    entry = space["entry"]
    count = entry.__code__.co_argcount
    args = [space["State"], space["Options"], *[N] * (count - 2)]
    assert isinstance(args[0], Row)
    try:
        whole = build(entry, tuple(args), N)
    except NumbaError:
        raise failed from None
    return Library.of(whole.llvm_cfunc_wrapper_name), whole.llvm_cfunc_wrapper_name


def _meanings(functions: Mapping[str, FunctionType], space: Mapping[str, Any]) -> dict[str, Any]:
    """Return by name what decides a function's machine code, beside the types of its arguments.

    That is its bytecode, the constants that it names, and the same of all functions that it calls.
    """
    calls: dict[str, set[str]] = {}
    number: dict[str, int] = {}
    for name, function in functions.items():
        code = function.__code__
        named = [key for key in code.co_names if key in space]
        calls[name] = {key for key in named if key in functions}
        constants = tuple((key, _constant(space[key])) for key in named if key not in functions)
        written = code.co_code, repr(code.co_consts), code.co_names, code.co_varnames
        meaning = name, written, constants, repr(function.__defaults__)
        number[name] = _numbers.setdefault(meaning, len(_numbers))

    def reach(name: str, found: set[str]) -> set[str]:
        for other in calls[name] - found:
            found.add(other)
            reach(other, found)
        return found

    reached = {name: reach(name, set()) for name in functions}
    return {
        name: (number[name], frozenset(number[other] for other in reached[name]))
        for name in functions
    }


def _constant(value: Any) -> Any:
    """Return a value that is equal for equal constants; 1, 1.0 and True are not, 0.0 and -0.0."""
    if isinstance(value, int | float | tuple | list | str | None):
        return type(value), repr(value), getattr(value, "shape", None)
    return value


@cache
def short_pipeline() -> type:
    """Return Numba's passes without those for what rules never have: closures, literals, arrays.

    A unit's code is the same, in about half of the time, nearly all of which is Numba's front end.
    Besides, a call of the same types is resolved once, nothing is reported to listeners, and what
    only generators and `with` need is not looked for. All this is no public interface: where a
    version of Numba has it not, its own passes are taken.
    """
    try:
        from numba.core import compiler_machinery as machinery
        from numba.core import interpreter, postproc, transforms
        from numba.core import typed_passes as typed
        from numba.core import untyped_passes as untyped
        from numba.core.typing import context

        passes = (
            untyped.TranslateByteCode,
            untyped.FixupArgs,
            untyped.IRProcessing,
            untyped.ReconstructSSA,
            typed.NopythonTypeInference,
            typed.PreLowerStripPhis,
            typed.NativeLowering,
            typed.NoPythonBackend,
        )
        resolve = context.BaseContext.resolve_function_type
        machinery.PassManager._ENFORCING, machinery.ev.trigger_event  # noqa: B018 (are they there?)
        canonical = transforms.canonicalize_cfg
        postproc.PostProcessor.run, interpreter.Interpreter.post_process  # noqa: B018 (likewise)
    except (ImportError, AttributeError):
        return compiler.Compiler  # type: ignore[no-any-return]

    class Short(compiler.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            manager = machinery.PassManager("rules")
            for one in passes:
                manager.add_pass(one, one.__name__)
            manager.finalize()
            return [manager]

    known: dict[Any, Any] = {}

    def resolved(self: Any, function: Any, args: Any, keywords: Any) -> Any:
        found = None if keywords else known.get((function, args))
        if found is None:
            found = resolve(self, function, args, keywords)
            if not keywords and found is not None:
                known[function, args] = found
        return found

    def canonicalised(self: Any, *_args: Any, **_keywords: Any) -> None:
        self.func_ir.blocks = canonical(self.func_ir.blocks)
        self.func_ir.generator_info = None

    postproc.PostProcessor.run = canonicalised
    interpreter.Interpreter.post_process = lambda _self, _peepholes, code: code
    context.BaseContext.resolve_function_type = resolved
    machinery.PassManager._ENFORCING = False
    machinery.ev.trigger_event = lambda *_args, **_keywords: nullcontext()
    return Short


def optimised(module: Any, symbol: str, name: str, *, vectors: bool = False) -> bytes:
    """Return the machine code of an LLVM module that exports only `symbol`, as `name`.

    Loops are vectorised only where that is said: those of rules have few turns.
    """
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration and part.name != symbol:
            part.linkage = "internal"
    module.get_function(symbol).name = name
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=os.environ["NUMBA_CPU_NAME"],
        features=os.environ["NUMBA_CPU_FEATURES"],
        opt=3,
        reloc="static" if module.triple.startswith("x86_64") else "default",
        codemodel="jitdefault",
        jit=True,
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization, tuning.slp_vectorization = vectors, False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    if _strange(module):
        # In large modules it is seen too late that no function returns an error, and what tells
        # of errors is still there.
        tuning.speed_level = 1
        again = llvm.create_pass_builder(machine, tuning)
        again.getModulePassManager().run(module, again)
    strange = _strange(module)
    assert not strange, f"{name} needs {', '.join(sorted(strange))}"
    return bytes(machine.emit_object(module))


def _strange(module: Any) -> set[str]:
    """Return the names of the external functions that a module calls, except LLVM intrinsics."""
    needed = {function.name for function in module.functions if function.is_declaration}
    return {name for name in needed if not name.startswith("llvm.")}


UNITS_KEPT = 32
"""Units after which memory is collected, some twenty megabytes each."""


def serve() -> None:
    """Compile what the standard input asks for, one unit after another, until it ends."""
    for option in LLVM_OPTIONS:
        llvm.set_option("cardlab", option)
    read, write = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    for count in itertools.count(1):
        try:
            text, path, name = pickle.load(read)  # noqa: S301 (from the process that started this one)
        except EOFError:
            os._exit(0)  # there is nothing to write, and much that would be taken apart
        answer: Any
        try:
            answer = object_of(text, path, name)
        except Failed as failed:
            answer = failed.places, failed.why
        except Exception:  # noqa: BLE001 (told to who asks)
            answer = traceback.format_exc()
        pickle.dump(answer, write)
        write.flush()
        if count % UNITS_KEPT == 0:
            gc.collect()
