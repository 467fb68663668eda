"""What a wheel has besides the package: the programs in the folder `programs`, which `ci/wheel` puts there.

Without that folder, the package is pure Python and takes `autotune` from the path.
"""

import platform
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Programs(BuildHookInterface):
    """Puts the programs where pip puts scripts, in a wheel for this machine's processor."""

    def initialize(self, version, build_data):
        folder = Path(self.root) / "programs"
        programs = sorted(folder.iterdir()) if folder.is_dir() else []
        if not programs:
            return
        machine = platform.machine()
        # Static programs run on any Linux, whatever its C library; PyPI knows no word for that.
        systems = ["manylinux_2_17", "manylinux2014", "musllinux_1_1"]
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + ".".join(f"{system}_{machine}" for system in systems)
        build_data["shared_scripts"].update({str(program): program.name for program in programs})
