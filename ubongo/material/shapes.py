"""The shapes of the family: twelve are the symbols on the cards, and the dice carry them with the single square.

A name is the letter it looks like and its number of squares:

    I1  I2  I3  L3  I4    L4  O4  S4   T4   L5    P5  Y5   Z5
    #   #   #   #.  #     #.  ##  .##  ###  #...  ##  ..#. ##.
        #   #   ##  #     #.  ##  ##.  .#.  ####  ##  #### .#.
            #       #     ##                      #.       .##
                    #
"""

from __future__ import annotations

from typing import Literal

from ubongo.lattice import SQUARE, Shape
from ubongo.picture import region
from ubongo.pieces import Piece, orientations

Symbol = Literal["I2", "I3", "I4", "L3", "L4", "L5", "O4", "P5", "S4", "T4", "Y5", "Z5"]
SYMBOLS: tuple[Symbol, ...] = ("I2", "I3", "I4", "L3", "L4", "L5", "O4", "P5", "S4", "T4", "Y5", "Z5")

SHAPES: dict[str, Shape] = {
    name: region(SQUARE, picture)
    for name, picture in {
        "I1": "#",
        "I2": "#\n#",
        "I3": "#\n#\n#",
        "I4": "#\n#\n#\n#",
        "L3": "#.\n##",
        "L4": "#.\n#.\n##",
        "L5": "#...\n####",
        "O4": "##\n##",
        "P5": "##\n##\n#.",
        "S4": ".##\n##.",
        "T4": "###\n.#.",
        "Y5": "..#.\n####",
        "Z5": "##.\n.#.\n.##",
    }.items()
}

# All dice of a colour are equal. The single square makes sure that every gap can be filled eventually.
BLACK = ("L4", "T4", "S4", "P5", "Y5", "L5")
WHITE = ("I1", "I2", "I3", "L3", "O4", "I4")
DICE_PIECES = {name: Piece(name, orientations(SQUARE, SHAPES[name])) for name in WHITE + BLACK}
