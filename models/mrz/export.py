"""Exports a trained reader to ONNX and proves that the file computes what the trained weights compute.

    /usr/bin/python3 models/mrz/export.py --model DIR/model.pt [--card] [--golden]

The comparison runs in ONNX Runtime through Node (models/node_modules, the pinned package the program takes its runtime from) where that is
installed, and in OpenCV's own ONNX interpreter always. --card writes the digest into models/cards/mrz-read.json; --golden draws testdata/.
"""

import argparse
import hashlib
import json
import os
import subprocess
import tempfile

import cv2
import numpy as np
import onnx
import torch

import generate
import line
from net import Reader

HERE = os.path.dirname(os.path.abspath(__file__))
FILE, CARD = os.path.join(HERE, "mrz-read.onnx"), os.path.join(HERE, "..", "cards", "mrz-read.json")
TOLERANCE = 2e-3  # of logits that reach ±30, after float32 sums in another order

NODE = """
const ort = require('onnxruntime-node'), fs = require('fs');
(async () => {
  const [model, input, output, n] = process.argv.slice(1);
  const s = await ort.InferenceSession.create(model, {intraOpNumThreads: 1});
  const b = fs.readFileSync(input), x = new Float32Array(b.buffer, b.byteOffset, b.length / 4);
  const r = await s.run({line: new ort.Tensor('float32', x, [Number(n), 1, 32, 768])});
  fs.writeFileSync(output, Buffer.from(r.logits.data.buffer));
})().catch(e => { console.error(e); process.exit(1) });
"""


def load(path):
    model = Reader()
    model.load_state_dict(torch.load(path))
    return model.eval()


def export(model, path):
    torch.onnx.export(model, torch.zeros(1, 1, line.HEIGHT, line.WIDTH), path, input_names=["line"], output_names=["logits"], opset_version=13,
                      dynamic_axes={"line": {0: "N"}, "logits": {0: "N"}}, do_constant_folding=True)
    onnx.checker.check_model(onnx.load(path))


def through_node(path, x):
    """The file's answer in ONNX Runtime, or None where Node's package is not installed."""
    models = os.path.join(HERE, "..")
    if not os.path.isdir(os.path.join(models, "node_modules", "onnxruntime-node")):
        return None
    with tempfile.TemporaryDirectory() as d:
        given, answer = os.path.join(d, "x"), os.path.join(d, "y")
        x.tofile(given)
        subprocess.run(["node", "-e", NODE, path, given, answer, str(len(x))], check=True, cwd=models)
        return np.fromfile(answer, np.float32).reshape(len(x), line.FRAMES, line.CLASSES)


def verify(model, path):
    pictures, widths, *_ = generate.chunk((99, 1), 16)
    x = np.stack([line.normalise(p[:, :w]) for p, w in zip(pictures, widths)])
    with torch.no_grad():
        want = model(torch.from_numpy(x)).numpy()
    reader = cv2.dnn.readNetFromONNX(path)
    answers = {"opencv": []}
    for one in x:  # one by one: OpenCV fixes the batch at 1
        reader.setInput(one[None])
        answers["opencv"].append(reader.forward()[0])
    answers["opencv"] = np.stack(answers["opencv"])
    runtime = through_node(path, x)
    if runtime is not None:
        answers["onnxruntime"] = runtime
    for name, got in answers.items():
        worst = float(np.abs(got - want).max())
        if worst > TOLERANCE or (got.argmax(2) != want.argmax(2)).any():
            raise SystemExit(f"{name}: differs from torch by {worst}")
        print(f"{name}: 16 lines, largest difference from torch {worst:.1e}")


def golden(model, seed=4242, n=8):
    """Synthetic lines as pictures, with what the reader must answer for them."""
    out = os.path.join(HERE, "testdata")
    os.makedirs(out, exist_ok=True)
    rng, heights, rows = np.random.default_rng(seed), [11, 13, 16, 18, 22, 26, 32, 38], []
    for i in range(n):
        img, text, _, _ = generate.crop(rng, heights[i % len(heights)])
        fitted = line.fit(img)
        with torch.no_grad():
            logits = model(torch.from_numpy(line.normalise(fitted)[None]))[0].numpy()
        name = f"line-{i + 1}.png"
        cv2.imwrite(os.path.join(out, name), img)
        decoded, sure, frame = line.decode(logits, fitted.shape[1])
        at = [int(round(f)) for f in frame[:3]]
        rows.append({"file": name, "text": text, "decoded": decoded, "confidence": [round(s, 4) for s in sure], "frame": frame, "width": fitted.shape[1],
                     "mean": round(float(fitted.mean()), 3), "std": round(float(fitted.std()), 3),
                     "logits": [{"frame": t, "values": [round(float(v), 3) for v in logits[t]]} for t in at]})
    with open(os.path.join(out, "golden.json"), "w") as f:
        json.dump({"classes": "_" + line.ALPHABET, "sha256": digest(FILE), "lines": rows}, f, indent=1)
        f.write("\n")
    print("golden:", sum(r["text"] == r["decoded"] for r in rows), "of", n, "exact")


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def write_card(version):
    with open(CARD) as f:
        card = json.load(f)
    card["sha256"], card["version"] = digest(FILE), version
    with open(CARD, "w") as f:
        json.dump(card, f, indent=2, ensure_ascii=False)
        f.write("\n")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", required=True)
    a.add_argument("--card", metavar="VERSION", help="write digest and version into the card")
    a.add_argument("--golden", action="store_true")
    a = a.parse_args()
    cv2.setNumThreads(1)
    model = load(a.model)
    export(model, FILE)
    verify(model, FILE)
    print(os.path.getsize(FILE), "bytes", digest(FILE))
    if a.card:
        write_card(a.card)
    if a.golden:
        golden(model)


if __name__ == "__main__":
    main()
