"""An edition as pictures: pure functions from printed material to SVG. The commands write the files."""
