"""``python -m pcsf_lark`` is ``pcsf``."""

from pcsf_lark.faces.cli import main

if __name__ == "__main__":
    main()
