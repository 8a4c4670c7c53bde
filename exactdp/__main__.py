"""``python -m exactdp``: the same as the command ``exactdp``."""

from exactdp.cli.main import main

if __name__ == "__main__":
    main()
