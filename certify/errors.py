"""Every error a user can meet: the message names the offending thing and the mend."""


class AttentionBoundsError(Exception):
    """Base of all errors raised on purpose by this package; the command turns it into one line and exit status 2."""


class ModelError(AttentionBoundsError):
    """A model, layer or head cannot be found, read or trusted."""


class UnsupportedModelError(ModelError):
    """A model or module whose attention this package does not know; refused by name, never guessed."""


class InputError(AttentionBoundsError):
    """An input array, text or option is unusable."""


class CertificateError(AttentionBoundsError):
    """A certificate cannot be read or does not prove its claim."""


class NoEnclosure(AttentionBoundsError):
    """A rigorous evaluation ended without information (nan, overflow, a missing symbol, an unknown function)."""
