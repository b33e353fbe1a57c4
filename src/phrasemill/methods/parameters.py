"""Checks of the numbers that methods take as parameters."""

from phrasemill.errors import ConfigError


def at_least(least: float, /, **values: float) -> None:
    """Require each of the named values to be `least` or more."""
    for name, value in values.items():
        if value < least:
            raise ConfigError(f"{name} must be at least {least}, got {value}")


def share(**values: float) -> None:
    """Require each of the named values to be from 0 to 1."""
    for name, value in values.items():
        if not 0 <= value <= 1:
            raise ConfigError(f"{name} must lie between 0 and 1, got {value}")


def positive_share(**values: float) -> None:
    """Require each of the named values to be above 0 and at most 1."""
    for name, value in values.items():
        if not 0 < value <= 1:
            raise ConfigError(f"{name} must lie above 0 and be at most 1, got {value}")
