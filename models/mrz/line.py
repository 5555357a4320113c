"""The reader's contract in code (README, "Contract"): crop to input, output to text."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "synth"))

import reading
from mrztext import ALPHABET

HEIGHT, WIDTH, STRIDE, CLASSES = 32, 768, 4, len(ALPHABET) + 1
FRAMES = WIDTH // STRIDE


def fit(gray):
    """uint8 crop → uint8 [32, w], w in 32…768."""
    return reading.fit(gray, HEIGHT, HEIGHT, WIDTH)


def normalise(fitted):
    """uint8 [32, w] → float32 [1, 32, 768]."""
    return reading.normalise(fitted, WIDTH)


def decode(logits, w=WIDTH):
    """logits [192, 38] → text, confidence of each character, middle frame of each."""
    return reading.decode(logits, w, ALPHABET, STRIDE)
