"""What kernels use of Cython's pure-Python mode, as no-ops, for machines where Cython is not installed."""

from collections.abc import Callable
from typing import Any

compiled = False


class _Type:
    """Stands for a C type: indexable (memoryviews, arrays), and the identity when called."""

    def __getitem__(self, _: Any) -> "_Type":
        return self

    def __call__(self, value: Any = 0) -> Any:
        return value


bint = char = double = float = int = long = longlong = short = size_t = Py_ssize_t = Py_UCS4 = _Type()
const = uchar = uint = ulong = ulonglong = ushort = schar = void = _Type()


def declare(_: Any, value: Any = None) -> Any:
    return value


def cast(_: Any, value: Any) -> Any:
    return value


def _same(function: Any) -> Any:
    return function


def _decorator(*_: Any, **__: Any) -> Callable[[Any], Any]:
    return lambda function: function


class _Gil:
    """`with cython.nogil:` and `with cython.gil:` around statements, and `@cython.nogil` above a function."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, function: Any) -> Any:
        return function


gil = nogil = _Gil()
cfunc = ccall = inline = cclass = final = _same
returns = locals = exceptval = boundscheck = wraparound = cdivision = _decorator
