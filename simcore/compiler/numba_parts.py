"""What of Numba the types of rules are built on: its own parts, or the copies of `numba.cuda`.

A process compiles for processors, unless `simcore.gpu` has set `MACHINE` before it imports types.
"""

from __future__ import annotations

from simcore.compiler import target

if target.MACHINE is None:
    from numba import types
    from numba.core import cgutils
    from numba.core.errors import TypingError
    from numba.core.imputils import lower_constant
    from numba.core.typing.templates import AttributeTemplate
    from numba.extending import (
        infer_getattr,
        intrinsic,
        lower_builtin,
        lower_getattr_generic,
        lower_setattr_generic,
        models,
        register_model,
        type_callable,
        typeof_impl,
    )
else:
    from numba.cuda import cgutils, types
    from numba.cuda.core.errors import TypingError  # type: ignore[no-redef]
    from numba.cuda.core.imputils import lower_constant
    from numba.cuda.extending import (
        infer_getattr,
        intrinsic,
        lower_builtin,
        lower_getattr_generic,
        lower_setattr_generic,
        models,
        register_model,
        type_callable,
        typeof_impl,
    )
    from numba.cuda.typing.templates import AttributeTemplate

__all__ = [
    "AttributeTemplate",
    "TypingError",
    "cgutils",
    "infer_getattr",
    "intrinsic",
    "lower_builtin",
    "lower_constant",
    "lower_getattr_generic",
    "lower_setattr_generic",
    "models",
    "register_model",
    "type_callable",
    "typeof_impl",
    "types",
]
