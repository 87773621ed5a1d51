"""`python -m certify.checker CERTIFICATE`, or `python certify/checker CERTIFICATE` where nothing is installed."""

import importlib.util
import sys
from pathlib import Path


def _main_of_folder() -> int:
    """Run as a folder: load it as a package of its own name without putting any path before the standard library."""
    folder = Path(__file__).resolve().parent
    sys.path.remove(str(folder)) if str(folder) in sys.path else None
    spec = importlib.util.spec_from_file_location(folder.name, folder / "__init__.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} is not a package")
    package = importlib.util.module_from_spec(spec)
    sys.modules[folder.name] = package
    spec.loader.exec_module(package)
    return importlib.import_module(f"{folder.name}.check").main()


if __package__:
    from .check import main

    sys.exit(main())
sys.exit(_main_of_folder())
