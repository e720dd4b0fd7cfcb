"""An edition as pictures: pure functions from printed matter to SVG. Where the files go is the commands' affair."""
