"""What happens to print between the press and the reader: paper and its security print, ink, bending, light, dirt, the camera.

Shared by the generators of models/mrz and models/text. Lengths u (along the line) and v (across it, 0 = middle of the capitals) are in capital
heights; h is the capital height in pixels. Everything is deterministic by the given numpy Generator.
"""

import cv2
import numpy as np

REACH = 2.6  # a canvas shows v in ±REACH
BORDER = 7.0  # what a canvas has left and right of the line's text, in u


def u(rng, lo, hi):
    return float(rng.uniform(lo, hi))


def put(canvas, cell, x, y):
    """Lays a cell on the canvas (the darker ink wins) with its top left at x, y, clipped."""
    h, w = cell.shape
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, canvas.shape[1]), min(y + h, canvas.shape[0])
    if x0 < x1 and y0 < y1:
        part = canvas[y0:y1, x0:x1]
        np.maximum(part, cell[y0 - y : y1 - y, x0 - x : x1 - x], out=part)


def bend(rng, ink, cap, h, start, end, above, below):
    """Resamples the canvas into the crop: tilt, bow, perspective. Returns ink, and a function from u to the crop's x."""
    drift = rng.normal(0, 0.18) if rng.random() < 0.85 else u(rng, -0.8, 0.8)
    bow = rng.normal(0, 0.05) if rng.random() < 0.8 else u(rng, -0.3, 0.3)
    grow, skew, slant = rng.normal(0, 0.03), rng.normal(0, 0.03), rng.normal(0, 0.05)
    w = max(8, round((end - start) * h))
    high = max(8, round((1 + above + below + abs(drift) * u(rng, 0.5, 1.0)) * h))
    s = np.linspace(-0.5, 0.5, w, dtype=np.float32)
    along = (s + skew * (s * s * 4 - 1) / 2 + 0.5) * (end - start) + start  # u at each column, ends fixed
    middle = (above - below) / 2 * h + high / 2 + (drift * s + bow * (s * s * 8 - 1)) * h
    y = np.arange(high, dtype=np.float32)[:, None]
    v = (y - middle[None]) / h * (1 + grow * s[None] * 2)
    mx = (along[None] + slant * v) * cap - 0.5
    my = (v + REACH) * cap - 0.5
    bent = cv2.remap(ink, mx.astype(np.float32), my.astype(np.float32), cv2.INTER_LINEAR, borderValue=0)
    return bent, v, along, lambda c: np.interp(c, along, np.arange(w) + 0.5)


def waves(rng, h, w, cap):
    """Security print: a few bent sine rulings, −1…1."""
    x, y = np.arange(w, dtype=np.float32)[None], np.arange(h, dtype=np.float32)[:, None]
    sum_ = np.zeros((h, w), np.float32)
    for _ in range(rng.integers(1, 4)):
        angle, length = u(rng, 0, np.pi), cap * 10 ** u(rng, -0.9, 0.6)
        warp = np.sin(x / (cap * u(rng, 1, 12)) + u(rng, 0, 6)) * u(rng, 0, 2.5) + np.cos(y / (cap * u(rng, 0.7, 4))) * u(rng, 0, 1.5)
        wave = np.sin((x * np.cos(angle) + y * np.sin(angle)) * (6.283 / max(length, 1.5)) + warp)
        sum_ += np.sign(wave) * np.abs(wave) ** u(rng, 0.2, 1) if rng.random() < 0.3 else wave
    return sum_ / max(1.0, float(np.abs(sum_).max()))


def soft_noise(rng, h, w, cell):
    """Cloudy noise, about −1…1, with features of `cell` pixels."""
    small = rng.normal(0, 0.5, (max(2, int(h / cell) + 2), max(2, int(w / cell) + 2))).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def paper(rng, high, w, h, v, along, length, border=BORDER):
    """Grey of the page under the ink, with the page's edge and what lies beyond it."""
    base = u(rng, 120, 250)
    bg = np.full((high, w), base, np.float32)
    if rng.random() < 0.75:
        bg += waves(rng, high, w, h) * base * (u(rng, 0, 0.12) if rng.random() < 0.75 else u(rng, 0.1, 0.28))
    if rng.random() < 0.4:
        bg += soft_noise(rng, high, w, h * u(rng, 0.4, 6)) * base * u(rng, 0, 0.12)
    if rng.random() < 0.12:  # the strip is printed on a band of another tone
        bg[(v < -u(rng, 0.6, 1.6))] *= u(rng, 0.6, 1.2)
    beyond = u(rng, 0, 255) + soft_noise(rng, high, w, h * u(rng, 0.3, 5)) * u(rng, 0, 40)
    if rng.random() < 0.14:
        bg = np.where(v > u(rng, 0.7, 2.2), beyond, bg)
    if rng.random() < 0.08:
        bg = np.where(v < -u(rng, 0.75, 2.2), beyond, bg)
    if rng.random() < 0.15:
        bg = np.where(np.broadcast_to(along[None] < border - u(rng, 0.3, 4), v.shape), beyond, bg)
    if rng.random() < 0.15:
        bg = np.where(np.broadcast_to(along[None] > length - border + u(rng, 0.3, 4), v.shape), beyond, bg)
    return bg


def weight(rng, a, h):
    """Stroke weight and the printer's faults, on the ink mask 0…1."""
    if rng.random() < 0.6:
        sigma = h * u(rng, 0.015, 0.05)
        a = np.clip((cv2.GaussianBlur(a, (0, 0), sigma) - u(rng, 0.25, 0.62)) * u(rng, 1.6, 4) + 0.5, 0, 1)
    if rng.random() < 0.25:
        a = a * np.clip(1 - u(rng, 0, 0.9) * np.clip(soft_noise(rng, *a.shape, h * u(rng, 0.08, 0.5)) - u(rng, -0.2, 0.5), 0, 1), 0, 1)
    return a


def light(rng, img, h):
    """Gradient, shadow edge, glare."""
    high, w = img.shape
    x, y = np.linspace(-0.5, 0.5, w, dtype=np.float32)[None], np.linspace(-0.5, 0.5, high, dtype=np.float32)[:, None]
    if rng.random() < 0.6:
        img = img * (1 + x * u(rng, -0.5, 0.5) + y * u(rng, -0.25, 0.25))
    if rng.random() < 0.12:
        edge = 1 / (1 + np.exp(np.clip(-((x - u(rng, -0.5, 0.5)) * w / h + y * u(rng, -2, 2)) * u(rng, 0.5, 8), -30, 30)))
        img = img * (1 - edge * u(rng, 0.1, 0.6))
    if rng.random() < 0.12:
        cx, sx, sy = u(rng, -0.6, 0.6), h / w * u(rng, 1, 8), u(rng, 0.3, 3)
        img = img + np.exp(-(((x - cx) / sx) ** 2) - ((y - u(rng, -0.5, 0.5)) / sy) ** 2) * u(rng, 20, 170)
    return img


def scratch(rng, img, h):
    """Dust, hairs, scratches, a stamp's arc."""
    high, w = img.shape
    for _ in range(rng.integers(1, 6)):
        grey, x, y = u(rng, 0, 255), int(u(rng, 0, w)), int(u(rng, 0, high))
        if rng.random() < 0.5:
            cv2.circle(img, (x, y), max(1, round(h * u(rng, 0.02, 0.12))), grey, -1, cv2.LINE_AA)
        elif rng.random() < 0.8:
            cv2.line(img, (x, y), (x + int(h * u(rng, -4, 4)), y + int(h * u(rng, -1, 1))), grey, 1, cv2.LINE_AA)
        else:
            cv2.circle(img, (x, y + int(h * u(rng, -4, 4))), int(h * u(rng, 2, 5)), grey, max(1, int(h * 0.08)), cv2.LINE_AA)
    return img


def motion(rng, img, h):
    n = max(2, round(h * u(rng, 0.05, 0.28)))
    kernel = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
    angle = u(rng, 0, np.pi)
    d = (int(np.cos(angle) * n / 2 * 8), int(np.sin(angle) * n / 2 * 8))
    cv2.line(kernel, ((n * 8 - d[0]), (n * 8 - d[1])), ((n * 8 + d[0]), (n * 8 + d[1])), 1.0, 1, cv2.LINE_AA, 3)
    return cv2.filter2D(img, -1, kernel / max(float(kernel.sum()), 1e-6))


def camera(rng, img, h):
    """Blur, small sensors, noise, sharpening, compression, binarisation. float → uint8."""
    high, w = img.shape
    if rng.random() < 0.75:
        img = cv2.GaussianBlur(img, (0, 0), max(0.25, h * abs(rng.normal(0, 0.05))))
    if rng.random() < 0.15:
        img = motion(rng, img, h)
    if rng.random() < 0.12 and h > 11:  # taken small, blown up since
        k = u(rng, 9.0, h) / h
        small = cv2.resize(img, (max(8, int(w * k)), max(6, int(high * k))), interpolation=cv2.INTER_AREA)
        img = cv2.resize(small, (w, high), interpolation=int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST], p=[0.5, 0.4, 0.1])))
    if rng.random() < 0.6:
        img = img + rng.standard_normal(img.shape, dtype=np.float32) * (abs(rng.normal(0, 7)))
    if rng.random() < 0.15:
        img = img + (img - cv2.GaussianBlur(img, (0, 0), h * u(rng, 0.04, 0.12))) * u(rng, 0.3, 2)
    if rng.random() < 0.2:
        img = 255 * np.power(np.clip(img / 255, 0, 1), u(rng, 0.5, 1.8))
    img = np.clip(img, 0, 255).astype(np.uint8)
    if rng.random() < 0.06:
        if rng.random() < 0.5:
            _, img = cv2.threshold(img, 0, 255, cv2.THRESH_OTSU)
        else:
            img = cv2.adaptiveThreshold(img, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, int(h) * 2 + 1, u(rng, 5, 15))
        if rng.random() < 0.5:
            img = cv2.GaussianBlur(img, (0, 0), u(rng, 0.4, 1.0))
    if rng.random() < 0.65:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 91))])[1], cv2.IMREAD_GRAYSCALE)
    return img
