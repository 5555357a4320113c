"""Exports the reader of letters to ONNX, proves that the file computes what the trained weights compute, and notes its digest in the card.

    /usr/bin/python3 models/text/letters_export.py --model DIR/model.pt [--card VERSION] [--golden]

--golden draws testdata/text-letter: lines as pictures, with what the reader must answer for some of their letters.
"""

import argparse
import json
import os

import cv2
import numpy as np
import onnx
import torch

import letters  # first: it says which alphabet is read
import onnxfile
from letters_train import Letters

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "text-letter.onnx")
GOLDEN = os.path.join(HERE, "testdata", "text-letter")


def prove(model, x):
    """Ends the program unless the file gives the model's logits for windows x [n, 64, 64]."""
    net = cv2.dnn.readNetFromONNX(FILE)
    with torch.no_grad():
        want = model(torch.from_numpy(x)[:, None]).numpy()
    net.setInput(x[:, None])
    worst = float(np.abs(net.forward() - want).max())
    if worst > onnxfile.TOLERANCE:
        raise SystemExit(f"differs from torch by {worst}")
    print(f"{len(x)} windows, largest difference from torch {worst:.1e}")


def golden(model, seed=4343):
    """Lines, where their letters are, and what each is read as."""
    os.makedirs(GOLDEN, exist_ok=True)
    rng, rows = np.random.default_rng(seed), []
    for i in range(6):
        img, text, xs, _ = letters.drawn(rng)
        fitted = letters.fit(img)
        w = fitted.shape[1]
        at = np.round(np.asarray(xs) / img.shape[1] * w - 0.5)
        with torch.no_grad():
            p = torch.softmax(model(torch.from_numpy(np.stack([letters.window(fitted, x) for x in at]))[:, None]), 1).numpy()
        cv2.imwrite(os.path.join(GOLDEN, f"line-{i + 1}.png"), img)
        read = "".join(letters.ALPHABET[c - 1] for c in p.argmax(1))
        rows.append({"file": f"line-{i + 1}.png", "text": text, "decoded": read, "confidence": [round(float(v), 3) for v in p.max(1)],
                     "frame": at.tolist(), "width": w})
    with open(os.path.join(GOLDEN, "golden.json"), "w", encoding="utf-8") as f:
        lines = ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows)
        f.write(f'{{"sha256": "{onnxfile.digest(FILE)}", "lines": [\n{lines}\n]}}\n')
    print("golden:", sum(a == b for r in rows for a, b in zip(r["text"], r["decoded"])), "of", sum(len(r["text"]) for r in rows), "letters")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", required=True)
    a.add_argument("--card", metavar="VERSION", help="write digest and version into the card")
    a.add_argument("--golden", action="store_true")
    a = a.parse_args()
    model = onnxfile.load(Letters(), a.model)
    torch.onnx.export(model, torch.zeros(1, 1, letters.SIDE, letters.SIDE), FILE, input_names=["letter"], output_names=["logits"], opset_version=13,
                      dynamic_axes={"letter": {0: "N"}, "logits": {0: "N"}}, do_constant_folding=True)
    onnx.checker.check_model(onnx.load(FILE))
    prove(model, letters.chunk((99, 0), 16)[0].astype(np.float32))
    print(os.path.getsize(FILE), "bytes", onnxfile.digest(FILE))
    if a.card:
        onnxfile.write_card("text-letter", FILE, a.card)
    if a.golden:
        golden(model)


if __name__ == "__main__":
    main()
