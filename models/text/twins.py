"""Letters that print shows as it does another one, or nearly so."""

import unicodedata

# Capitals, then small letters.
TWIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮЁЇ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" "аеѕіјорсухёї" "οόνίά",
    "ABESIJKMHOPCTYXYËÏ" "ABEZHIKMNOPTYX" "aesijopcyxëï" "oóvíá")


def likenesses(c):
    """The character, its Latin twin, and it without its tone: what a letter that a reader is to learn may begin as."""
    yield c
    yield c.translate(TWIN)
    yield unicodedata.normalize("NFC", "".join(m for m in unicodedata.normalize("NFD", c) if m not in "\u0300\u0301\u0303\u0309\u0323"))
