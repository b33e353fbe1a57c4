"""The methods, one module each. Called, as `phrasemill.methods()`, the package lists them.

`phrasemill.methods` is this package as soon as any method is loaded, so the function of that name has to be here.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phrasemill.catalogue import MethodInfo


class _CallablePackage(ModuleType):
    def __call__(self) -> "list[MethodInfo]":
        """Return all methods with their figures, the best first, and whether they are installed."""
        from phrasemill.catalogue import methods

        return methods()


sys.modules[__name__].__class__ = _CallablePackage
