"""The reader's contract in code (README, "Contract"): crop to input, output to text."""

import os
import sys

import cv2
import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "synth"))

from mrztext import ALPHABET

HEIGHT, WIDTH, STRIDE, CLASSES = 32, 768, 4, len(ALPHABET) + 1
FRAMES = WIDTH // STRIDE


def resize(gray, w, h):
    """Area average along an axis that shrinks, bilinear along one that grows."""
    ch, cw = gray.shape
    if w < cw or h < ch:
        gray = cv2.resize(gray, (min(w, cw), min(h, ch)), interpolation=cv2.INTER_AREA)
    return cv2.resize(gray, (w, h), interpolation=cv2.INTER_LINEAR)


def fit(gray):
    """uint8 crop → uint8 [32, w], w in 32…768."""
    ch, cw = gray.shape
    return resize(gray, int(min(WIDTH, max(HEIGHT, round(cw * HEIGHT / ch)))), HEIGHT)


def normalise(fitted):
    """uint8 [32, w] → float32 [1, 32, 768]."""
    x = fitted.astype(np.float32)
    out = np.zeros((1, HEIGHT, WIDTH), np.float32)
    out[0, :, : x.shape[1]] = (x - x.mean()) / max(float(x.std()), 1.0)
    return out


def decode(logits, w=WIDTH):
    """logits [192, 38] → text, confidence of each character, middle frame of each. Greedy CTC; frames on the padding count as blank."""
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
