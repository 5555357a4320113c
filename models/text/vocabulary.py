"""The words of the reader that is trained: cyrillic_greek.py for these two scripts, words.py for Latin print."""

from line import EASTERN, READER

if READER == EASTERN:
    from cyrillic_greek import *  # noqa: F403
else:
    from words import *  # noqa: F403
