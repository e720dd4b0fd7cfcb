"""`python -m ubongo` is the program `ubongo`."""

from ubongo.cli import main

if __name__ == "__main__":
    main()
