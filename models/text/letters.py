"""Windows of single letters: what the reader of letters learns from and is asked.

A window is a square cut from a line around one character, the line brought to SIDE pixels of height: twice what the line readers see, so that marks
which they take for one another differ by pixels. See README, "text-letter".
"""

import os
import unicodedata
from unittest import mock

os.environ["READER"] = "text-line-vietnamese"  # its alphabet is that of Latin print with Vietnamese

import numpy as np

import generate
import vocabulary as words
from line import ALPHABET, CLASS
from picture import u
from reading import resize

SIDE = 64
CLASSES = len(ALPHABET) + 1  # as a line reader's; what stands for the blank there is never an answer here
ASIDE = 0.1  # deviation of a window's middle from its letter's, in capital heights: how far line readers place letters from where they are
FLOATING = 0.05  # share of windows that lie anywhere
SOFT = 0.40  # part of a letter's advance from its middle on which such a window shows no single letter
ACCENTED = 0.6  # share of lines whose letters bear more marks than names do
PER_LINE = 9


def place(rng, text, middles, advances):
    """generate.place with the margins that the program's crops have."""
    start = middles[0] - advances[0] / 2 - u(rng, -0.02, 1)
    end = middles[-1] + advances[-1] / 2 + u(rng, -0.02, 1)
    return start, end, u(rng, 0.34, 0.95), u(rng, 0.2, 0.9), 0, len(middles)


def accented(rng, text):
    """The text with marks of one language, sometimes of any, on many of its letters."""
    if rng.random() > ACCENTED:
        return text
    share = u(rng, 0.2, 0.9)
    if rng.random() < 0.75:
        language = words.pick(rng, [name for name, known in words.ACCENTS.items() if known])
        return words.accent(rng, text, language, share)
    return "".join(words.pick(rng, VARIANTS[c]) if c in VARIANTS and rng.random() < share / 2 else c for c in text)


def base(c):
    return unicodedata.normalize("NFD", c)[0]


VARIANTS = {}
for _c in ALPHABET:
    if _c.isalpha() and base(_c) != _c:
        VARIANTS.setdefault(base(_c), [base(_c)]).append(_c)

def drawn(rng):
    """One legible line: grey crop, text, middles and advances in crop pixels."""
    line, value = words.line, generate.card.value
    with (
        mock.patch.object(generate, "place", place),
        mock.patch.object(generate, "MACHINE", 0.02),
        mock.patch.object(words, "line", lambda rng: accented(rng, line(rng))),
        mock.patch.object(generate.card, "value", lambda rng: accented(rng, value(rng))),
    ):
        return lines(rng)


def lines(rng):
    while True:
        kind = rng.random()
        h = float(np.exp(u(rng, np.log(11), np.log(40))))
        if kind < 0.3:
            img, text, xs, wide = generate.even(rng, h)
        elif kind < 0.75:
            img, text, xs, wide = generate.printed(rng, h)
        elif kind < 0.87:
            img, text, xs, wide = generate.shrunk(rng)
        else:
            img, text, xs, wide = generate.draw(rng, h)
        if text:
            return img, text, xs, wide


def fit(gray):
    """uint8 crop → float32 [SIDE, w], mean 0 and deviation 1, in its proportions."""
    ch, cw = gray.shape
    x = resize(gray, max(1, round(cw * SIDE / ch)), SIDE).astype(np.float32)
    return (x - x.mean()) / max(float(x.std()), 1.0)


def window(fitted, x):
    """float32 [SIDE, SIDE] around column x of a fitted line; nothing beyond its ends."""
    out = np.zeros((SIDE, SIDE), np.float32)
    first = round(x) - SIDE // 2
    a, b = max(0, first), min(fitted.shape[1], first + SIDE)
    if a < b:
        out[:, a - first : b - first] = fitted[:, a:b]
    return out


class Seen:
    """How often each class has been shown, so that rare letters are shown more often than they are printed."""

    def __init__(self):
        self.count = np.ones(CLASSES)

    def wanted(self, rng, c):
        return rng.random() < min(1.0, (np.median(self.count[self.count > 1]) / self.count[c]) ** 0.6) if (self.count > 1).any() else True


def chunk(seed, n, seen=Seen()):
    """n windows: float16 [n, SIDE, SIDE], and their classes."""
    rng = np.random.default_rng(seed)
    x, y = [], []
    while len(x) < n:
        img, text, xs, wide = drawn(rng)
        fitted = fit(img)
        k = SIDE / img.shape[0]
        xs, wide = np.asarray(xs) * k - 0.5, np.maximum(np.asarray(wide) * k, 2.0)
        cap = 0.45 * SIDE
        for i in rng.permutation(len(text))[:PER_LINE]:
            at = xs[i] + rng.normal(0, ASIDE) * min(cap, 1.2 * wide[i])
            if rng.random() < FLOATING:
                at = rng.uniform(xs[0] - wide[0] / 2, xs[-1] + wide[-1] / 2)
            d = np.abs(xs - at) / wide
            j = int(d.argmin())
            c = CLASS[text[j]]
            if d[j] > SOFT or not seen.wanted(rng, c):
                continue
            seen.count[c] += 1
            x.append(window(fitted, at).astype(np.float16))
            y.append(c)
    return np.stack(x[:n]), np.array(y[:n], np.int64)
