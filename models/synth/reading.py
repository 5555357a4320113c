"""What our line readers do alike, whatever they read: crop to input, scores to text. Sizes and alphabets are theirs (README, "Contract")."""

import cv2
import numpy as np


def resize(gray, w, h):
    """Area average along an axis that shrinks, bilinear along one that grows."""
    ch, cw = gray.shape
    if w < cw or h < ch:
        gray = cv2.resize(gray, (min(w, cw), min(h, ch)), interpolation=cv2.INTER_AREA)
    return cv2.resize(gray, (w, h), interpolation=cv2.INTER_LINEAR)


def fit(gray, height, least, most):
    """uint8 crop → uint8 [height, w] of the same proportions, w in least…most."""
    ch, cw = gray.shape
    return resize(gray, int(min(most, max(least, round(cw * height / ch)))), height)


def normalise(fitted, width):
    """uint8 [h, w] → float32 [1, h, width]: mean 0, deviation 1, and 0 right of w."""
    x = fitted.astype(np.float32)
    out = np.zeros((1, x.shape[0], width), np.float32)
    out[0, :, : x.shape[1]] = (x - x.mean()) / max(float(x.std()), 1.0)
    return out


def decode(logits, w, alphabet, stride):
    """logits [frames, classes] → text, confidence of each character, middle frame of each. Greedy CTC: class 0 is the blank, class i the character
    i − 1 of the alphabet. Frames on the padding, right of the w columns of the line, count as blank."""
    p = np.exp(logits - logits.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    best = p.argmax(1)
    best[np.arange(len(best)) * stride >= w + stride] = 0
    text, sure, frame, t = "", [], [], 0
    while t < len(best):
        end = t
        while end < len(best) and best[end] == best[t]:
            end += 1
        if best[t]:
            text += alphabet[best[t] - 1]
            sure.append(float(p[t:end, best[t]].max()))
            frame.append((t + end - 1) / 2)
        t = end
    return text, sure, frame
