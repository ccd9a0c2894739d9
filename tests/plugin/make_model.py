"""Write the small model of click-to-mask whose answer is known, where the package `onnx` is."""

import sys
from pathlib import Path

from tests.core.sam_models import write_pair

if __name__ == "__main__":
    write_pair(Path(sys.argv[1]), "sam2-sized")
