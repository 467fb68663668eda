"""The launches of Triton, and its driver, which is absent."""

from . import autotuner, jit


class Drivers:
    """The driver in use."""

    _active = None

    @property
    def active(self):
        """The driver; an error if there is none."""
        if self._active is None:
            raise RuntimeError("0 active drivers ([]). There should only be one.")
        return self._active

    def set_active(self, driver):
        """Takes another driver."""
        self._active = driver


driver = Drivers()
