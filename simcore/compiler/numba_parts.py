"""What of Numba the types of rules are built on: its own parts, or the copies of `numba.cuda`.

A process compiles for processors, unless `simcore.gpu` has set `MACHINE` before it imports types.
"""

from __future__ import annotations

from simcore.compiler import target

if target.MACHINE is None:
    from numba import extending, types
    from numba.core import cgutils
    from numba.core.errors import TypingError
    from numba.core.imputils import lower_constant
    from numba.core.typing.templates import AttributeTemplate
else:
    from numba.cuda import cgutils, extending, types
    from numba.cuda.core.errors import TypingError  # type: ignore[no-redef]
    from numba.cuda.core.imputils import lower_constant
    from numba.cuda.typing.templates import AttributeTemplate

__all__ = ["AttributeTemplate", "TypingError", "cgutils", "extending", "lower_constant", "types"]
