"""The reader's contract in code (README, "Contract"): crop to input, output to text."""

import os

import cv2
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
CHARACTERS = os.path.join(HERE, "text-line.txt")

with open(CHARACTERS, encoding="utf-8") as f:
    ALPHABET = "".join(f.read().split("\n")) + " "  # class of a character = its index here + 1; 0 is the blank, the last class is the space

HEIGHT, STRIDE, CLASSES = 32, 2, len(ALPHABET) + 1
WIDTHS = (128, 256, 512, 1024)  # of tensors: the narrowest that holds the line
CLASS = {c: i + 1 for i, c in enumerate(ALPHABET)}


def resize(gray, w, h):
    """Area average along an axis that shrinks, bilinear along one that grows."""
    ch, cw = gray.shape
    if w < cw or h < ch:
        gray = cv2.resize(gray, (min(w, cw), min(h, ch)), interpolation=cv2.INTER_AREA)
    return cv2.resize(gray, (w, h), interpolation=cv2.INTER_LINEAR)


def fit(gray):
    """uint8 crop → uint8 [32, w], w in 16…1024."""
    ch, cw = gray.shape
    return resize(gray, int(min(WIDTHS[-1], max(HEIGHT // 2, round(cw * HEIGHT / ch)))), HEIGHT)


def tensor_width(w):
    return next(t for t in WIDTHS if t >= w)


def normalise(fitted):
    """uint8 [32, w] → float32 [1, 32, W]."""
    x = fitted.astype(np.float32)
    out = np.zeros((1, HEIGHT, tensor_width(x.shape[1])), np.float32)
    out[0, :, : x.shape[1]] = (x - x.mean()) / max(float(x.std()), 1.0)
    return out


def decode(logits, w=WIDTHS[-1]):
    """logits [W/2, CLASSES] → text, confidence of each character, middle frame of each. Greedy CTC; frames on the padding count as blank."""
    p = np.exp(logits - logits.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    best = p.argmax(1)
    best[np.arange(len(best)) * STRIDE >= w + STRIDE] = 0
    text, sure, frame, t = "", [], [], 0
    while t < len(best):
        end = t
        while end < len(best) and best[end] == best[t]:
            end += 1
        if best[t]:
            text += ALPHABET[best[t] - 1]
            sure.append(float(p[t:end, best[t]].max()))
            frame.append((t + end - 1) / 2)
        t = end
    return text, sure, frame
