"""Draws machine-readable lines as a camera and a text detector would hand them over: OCR-B on security print, bent, lit, blurred, compressed, cropped.

Lengths u (along the line) and v (across it, 0 = middle of the capitals) are in capital heights. `sample(rng)` gives one labelled line;
`chunk(seed, n)` many, as arrays. Deterministic by seed.
"""

import functools
import glob

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import mrztext
from line import FRAMES, HEIGHT, STRIDE, WIDTH, fit
from mrztext import ALPHABET

OCRB = "/usr/share/fonts/opentype/ocr-b/"  # Debian fonts-ocr-b; the reversed cuts (E, X) are not print on paper
CUTS, CUT_ODDS = ["OCRB.otf", "OCRBS.otf", "OCRBL.otf", "OCRBF.otf"], [0.55, 0.37, 0.06, 0.02]
OTHER = sorted(glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf"))
MONO = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
MASTERS = (14, 24, 44)  # capital heights in pixels at which glyphs are drawn before they are bent into the picture
REACH = 2.6  # the canvas shows v in ±REACH
LONGEST = 48  # characters kept of a line's label
IGNORE = 255


@functools.lru_cache(maxsize=None)
def glyphs(path, cap, wide=1.0, letters=1.0):
    """Masks of the alphabet for one font, {char: uint8 [h, w]}, the capitals' middle in the middle of each. Foundries disagree on OCR-B's
    width and on how tall letters are beside digits: `wide` and `letters` scale for that."""
    size = cap / 0.72
    for _ in range(3):
        font = ImageFont.truetype(path, round(size))
        mask = font.getmask("H")
        size *= cap / max(1, mask.getbbox()[3] - mask.getbbox()[1])
    font = ImageFont.truetype(path, round(size))
    probe = Image.new("L", (cap * 3, cap * 3))
    ImageDraw.Draw(probe).text((cap, 0), "H", font=font, fill=255)
    top, bottom = probe.getbbox()[1], probe.getbbox()[3]
    middle, width = (top + bottom) // 2, int(cap * 1.5)
    found = {}
    for c in ALPHABET:
        cell = Image.new("L", (width, cap * 2))
        ImageDraw.Draw(cell).text((width / 2 - font.getlength(c) / 2, cap - middle), c, font=font, fill=255)
        found[c] = scale(np.asarray(cell), wide, 1.0 if c in mrztext.DIGITS else letters)
    return found


def scale(cell, x, y):
    """The cell stretched about its middle, same size."""
    if x == y == 1:
        return cell
    h, w = cell.shape
    m = np.float32([[x, 0, (1 - x) * (w - 1) / 2], [0, y, (1 - y) * (h - 1) / 2]])
    return cv2.warpAffine(cell, m, (w, h), flags=cv2.INTER_LINEAR)


def u(rng, lo, hi):
    return float(rng.uniform(lo, hi))


def put(canvas, cell, x, y):
    """Lays a cell on the canvas (the darker ink wins) with its top left at x, y, clipped."""
    h, w = cell.shape
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, canvas.shape[1]), min(y + h, canvas.shape[0])
    if x0 < x1 and y0 < y1:
        part = canvas[y0:y1, x0:x1]
        np.maximum(part, cell[y0 - y : y1 - y, x0 - x : x1 - x], out=part)


def draw_row(rng, canvas, text, cells, cap, left, v, pitch, jitter):
    """Draws one row; returns the u of each character's middle."""
    strength = u(rng, 0.0, 0.25) if rng.random() < 0.25 else 0.0
    centres = left + (np.arange(len(text)) + 0.5) * pitch + rng.normal(0, jitter, len(text)) * pitch
    lift = rng.normal(0, jitter * 0.7, len(text))
    for c, centre, dv in zip(text, centres, lift):
        cell = cells[c]
        if strength:  # a typewriter's or worn ribbon's unequal ink
            cell = (cell * (1 - strength * rng.random())).astype(np.uint8)
        put(canvas, cell, round(centre * cap - cell.shape[1] / 2), round((REACH + v + dv) * cap - cell.shape[0] / 2))
    return centres


def draw_clutter(rng, canvas, cap, v, length):
    """Printed text in another face on a neighbouring row."""
    font = ImageFont.truetype(OTHER[rng.integers(len(OTHER))], max(6, round(cap * u(rng, 0.7, 1.6))))
    text = " ".join(mrztext.word(rng, mrztext.SURNAMES).title() + str(rng.integers(1000)) for _ in range(rng.integers(1, 6)))
    cell = Image.new("L", (max(1, int(font.getlength(text))), round(cap * 2.2)))
    ImageDraw.Draw(cell).text((0, 0), text, font=font, fill=int(rng.integers(90, 255)))
    put(canvas, np.asarray(cell), int(u(rng, 0, length) * cap), round((REACH + v) * cap - cap))


def canvas(rng, cap):
    """Ink of one line and what stands above and below it. Returns mask, text, centres in u (from the canvas's left), pitch."""
    rows = mrztext.lines(rng)
    at = int(rng.integers(len(rows)))
    font = MONO if rng.random() < 0.02 else OCRB + CUTS[rng.choice(len(CUTS), p=CUT_ODDS)]
    cells = glyphs(font, cap, float(rng.choice([0.9, 1.0, 1.1], p=[0.15, 0.7, 0.15])), float(rng.choice([0.95, 1.0, 1.06], p=[0.12, 0.7, 0.18])))
    pitch = 1.058 * u(rng, 0.9, 1.14)
    spacing, left, jitter = u(rng, 1.5, 2.8), 7.0, u(rng, 0, 0.02) if rng.random() < 0.7 else u(rng, 0.02, 0.06)
    length = left * 2 + len(rows[at]) * pitch
    ink = np.zeros((round(2 * REACH * cap), round(length * cap)), np.uint8)
    for i, row in enumerate(rows):
        if i != at:
            draw_row(rng, ink, row, cells, cap, left + u(rng, -0.05, 0.05), (i - at) * spacing, pitch, jitter)
    if at == 0 and rng.random() < 0.3:
        draw_clutter(rng, ink, cap, -u(rng, 1.4, 2.6), length)
    if at == len(rows) - 1 and rng.random() < 0.08:
        draw_clutter(rng, ink, cap, u(rng, 1.5, 2.6), length)
    centres = draw_row(rng, ink, rows[at], cells, cap, left, 0, pitch, jitter)
    if rng.random() < 0.06:  # a frame, a photograph's border, a rule beside or under the line
        x = int(u(rng, 0, left - 1) * cap) if rng.random() < 0.5 else int((length - u(rng, 0, left - 1)) * cap)
        ink[:, max(0, x) : x + max(1, cap // 8)] = int(rng.integers(80, 255))
    return ink, rows[at], centres, pitch


def place(rng, centres, pitch):
    """The crop: u range, margins above and below, and which characters it holds."""
    n, first, last = len(centres), 0, len(centres)
    if rng.random() < 0.10:
        first = int(rng.integers(1, 5))
    if rng.random() < 0.10:
        last = n - int(rng.integers(1, 5))
    if rng.random() < 0.06:
        first = int(rng.integers(0, n - 8))
        last = int(rng.integers(first + 5, n + 1))
    gap = pitch / 2
    wide = 2.2 if rng.random() < 0.8 else 6.0
    start = centres[first] - gap - (u(rng, -0.06, 0.12) if first else u(rng, -0.05, wide))
    end = centres[last - 1] + gap + (u(rng, -0.06, 0.12) if last < n else u(rng, -0.05, wide))
    base = u(rng, 0.1, 0.5) if rng.random() < 0.85 else u(rng, 0.0, 0.8)
    shift = rng.normal(0, 0.12)
    return start, end, max(0.0, base + shift), max(0.0, base - shift), first, last


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


def paper(rng, high, w, h, v, along, length):
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
        bg = np.where(np.broadcast_to(along[None] < 7.0 - u(rng, 0.3, 4), v.shape), beyond, bg)
    if rng.random() < 0.15:
        bg = np.where(np.broadcast_to(along[None] > length - 7.0 + u(rng, 0.3, 4), v.shape), beyond, bg)
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


def crop(rng, h=None):
    """One grey crop (uint8), its text, and each character's x and pitch in crop pixels; h = capital height in pixels."""
    h = h or float(np.exp(u(rng, np.log(8.5), np.log(40))))
    cap = next((m for m in MASTERS if m >= h * 0.95), MASTERS[-1])
    ink, text, centres, pitch = canvas(rng, cap)
    start, end, above, below, first, last = place(rng, centres, pitch)
    bent, v, along, to_x = bend(rng, ink, cap, h, start, end, above, below)
    high, w = bent.shape
    bg = paper(rng, high, w, h, v, along, ink.shape[1] / cap)
    a = weight(rng, bent.astype(np.float32) / 255, h)
    black = float(bg.mean()) * (1 - u(rng, 0.55, 1.0) if rng.random() < 0.85 else 1 - u(rng, 0.3, 0.6))
    img = light(rng, bg * (1 - a) + black * a, h)
    if rng.random() < 0.15:
        img = scratch(rng, np.ascontiguousarray(img, dtype=np.float32), h)
    xs = to_x(centres[first:last])
    return camera(rng, img.astype(np.float32), h), text[first:last], xs, pitch * h


def frames(text, xs, pitch):
    """Class of each frame from the glyphs' places in input columns: near a middle its class, between two blank, IGNORE in the soft zone."""
    at = np.arange(FRAMES) * STRIDE
    distance = np.abs(at[:, None] - xs[None]) / pitch
    nearest = distance.argmin(1)
    d = distance[np.arange(FRAMES), nearest]
    classes = np.array([ALPHABET.index(c) + 1 for c in text], np.uint8)
    label = np.where(d < 0.26, classes[nearest], np.where(d < 0.37, IGNORE, 0))
    return label.astype(np.uint8), classes


def sample(rng, h=None):
    """One training line: uint8 [32, w], frame classes [192], classes of the text."""
    img, text, xs, pitch = crop(rng, h)
    fitted = fit(img)
    k = fitted.shape[1] / img.shape[1]
    label, classes = frames(text, xs * k - 0.5, pitch * k)
    return fitted, label, classes, text


def chunk(seed, n, h=None):
    """n lines as arrays: pictures [n, 32, 768], widths [n], frame classes [n, 192], classes [n, LONGEST], lengths [n]."""
    rng = np.random.default_rng(seed)
    pictures = np.zeros((n, HEIGHT, WIDTH), np.uint8)
    widths, lengths = np.zeros(n, np.int64), np.zeros(n, np.int64)
    labels, targets = np.zeros((n, FRAMES), np.uint8), np.zeros((n, LONGEST), np.int64)
    for i in range(n):
        fitted, labels[i], classes, _ = sample(rng, h)
        widths[i], lengths[i] = fitted.shape[1], len(classes)
        pictures[i, :, : widths[i]] = fitted
        targets[i, : lengths[i]] = classes
    return pictures, widths, labels, targets, lengths
