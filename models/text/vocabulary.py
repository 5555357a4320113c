"""The words of the reader that is trained: words.py for Latin print, cyrillic_greek.py for the two other scripts."""

from line import READER, READERS

if READER == READERS[0]:
    from words import *  # noqa: F403
else:
    from cyrillic_greek import *  # noqa: F403
