"""What the kernels take for granted of a processor is what Numba compiles for."""

from __future__ import annotations

import subprocess
import sys

import numba
import numpy as np
import pytest

from simcore import jit

PRINT = "from simcore import jit; print(jit.HAS_BMI2, jit.HAS_AVX2, jit.HAS_AVX512)"


def flags(monkeypatch, name, features):
    monkeypatch.setenv("NUMBA_CPU_NAME", name)
    monkeypatch.setenv("NUMBA_CPU_FEATURES", features)
    shown = subprocess.run([sys.executable, "-c", PRINT], capture_output=True, check=True)
    return shown.stdout.split()


@pytest.mark.skipif(jit.platform.machine() not in ("x86_64", "AMD64"), reason="x86 only")
def test_another_processor_has_the_features_that_are_named(monkeypatch):
    assert flags(monkeypatch, "x86-64", "") == [b"False", b"False", b"False"]
    assert flags(monkeypatch, "x86-64", "+bmi2,+avx2") == [b"True", b"True", b"False"]
    assert flags(monkeypatch, "x86-64", "-bmi2,+avx512vpopcntdq") == [b"False", b"False", b"True"]


def test_a_processor_of_another_kind_has_none(monkeypatch):
    monkeypatch.setattr(jit.platform, "machine", lambda: "arm64")
    assert not jit.has_feature("avx2")


@pytest.mark.skipif(not jit.HAS_AVX512, reason="vectors are short")
def test_whole_vectors_are_used(monkeypatch):
    monkeypatch.setattr(numba.config, "CPU_NAME", None)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", None)
    jit.use_whole_vectors()
    features = numba.config.CPU_FEATURES.split(",")
    assert "+avx512vpopcntdq" in features
    assert features[-1] == "-prefer-256-bit"


def test_features_that_the_user_names_stand(monkeypatch):
    monkeypatch.setattr(numba.config, "CPU_FEATURES", "+avx2")
    jit.use_whole_vectors()
    assert numba.config.CPU_FEATURES == "+avx2"


@pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")
def test_a_kernel_is_not_inlined_because_its_first_caller_is():
    @jit.kernel
    def called(number):
        return number + 1

    @jit.inline_kernel
    def small(number):
        return called(number)

    @jit.kernel
    def caller(number):
        return small(number)

    assert caller(1) == 2
    assert "alwaysinline" in small.overloads[(numba.int64,)].library.get_llvm_str()
    assert "alwaysinline" not in called.overloads[(numba.int64,)].library.get_llvm_str()


@pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")
def test_what_is_inlined_gets_an_entry_from_python_when_it_is_called_there(monkeypatch):
    @jit.inline_kernel
    def small(number):
        return number + 1

    @jit.kernel
    def caller(number):
        return small(number)

    assert caller(1) == 2
    code = small.overloads[(numba.int64,)]
    assert code.fndesc.llvm_cpython_wrapper_name not in code.library.get_llvm_str()
    assert (small(1), small(2), small(0.5)) == (2, 3, 1.5)
    with pytest.raises(TypeError, match="not enough arguments"):
        small()
    monkeypatch.setattr(type(small), "_compile_for_args", None)
    assert (small(2), small(2.5)) == (3, 3.5)  # found without asking


def body_of(function):
    """Return what a function alone was compiled to, without what it calls and its wrappers."""
    code = next(iter(function.overloads.values()))
    name = code.fndesc.mangled_name
    bodies = code.library.get_llvm_str().split("define ")[1:]
    return next(body for body in bodies if f"@{name}(" in body.partition("{")[0].replace('"', ""))


@pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")
def test_references_are_counted_but_in_functions_that_are_inlined():
    @jit.kernel
    def allocating(count):
        return np.zeros(count)

    @jit.kernel
    def summed(count):
        return allocating(count).sum()  # it has to be given back: first compiled for an inlined one

    @jit.inline_kernel
    def small(numbers):
        for i in range(len(numbers)):
            numbers[i] += summed(i)
        return numbers[0]

    @jit.kernel
    def caller(numbers):
        return small(numbers)

    assert caller(np.ones(3)) == 1
    assert "NRT_decref" in body_of(summed)
    assert "NRT_decref" not in body_of(small)
