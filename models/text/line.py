"""The reader's contract in code (README, "Contract"): crop to input, output to text."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Of Latin print; of the two other scripts, which also reads plain Latin letters beside them; of Latin print with the letters of Vietnamese.
READERS = LATIN, EASTERN, VIETNAMESE = ("text-line", "text-line-cyrillic-greek", "text-line-vietnamese")
READER = os.environ.get("READER", READERS[0])
assert READER in READERS, f"READER is one of {READERS}"
CHARACTERS = os.path.join(HERE, READER + ".txt")
sys.path.append(os.path.join(HERE, "..", "synth"))

import reading

with open(CHARACTERS, encoding="utf-8") as f:
    ALPHABET = "".join(f.read().split("\n")) + " "  # class of a character = its index here + 1; 0 is the blank, the last class is the space

HEIGHT, STRIDE, CLASSES = 32, 2, len(ALPHABET) + 1
WIDTHS = (128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024)  # of tensors: the narrowest that holds the line
CLASS = {c: i + 1 for i, c in enumerate(ALPHABET)}


def fit(gray):
    """uint8 crop → uint8 [32, w], w in 16…1024."""
    return reading.fit(gray, HEIGHT, HEIGHT // 2, WIDTHS[-1])


def tensor_width(w):
    return next(t for t in WIDTHS if t >= w)


def normalise(fitted):
    """uint8 [32, w] → float32 [1, 32, W]."""
    return reading.normalise(fitted, tensor_width(fitted.shape[1]))


def decode(logits, w=WIDTHS[-1]):
    """logits [W/2, CLASSES] → text, confidence of each character, middle frame of each."""
    return reading.decode(logits, w, ALPHABET, STRIDE)
