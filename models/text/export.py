"""Exports a trained reader to ONNX and proves that the file computes what the trained weights compute.

    /usr/bin/python3 models/text/export.py --model DIR/model.pt [--card VERSION] [--golden]

--model may also name a checkpoint.pt of a run that goes on: its running mean is exported. The comparison runs in ONNX Runtime through Node
(models/node_modules, the pinned package the program takes its runtime from) where that is installed, and in OpenCV's own ONNX interpreter
always. --card writes the digests into models/cards/text-line*.json; --golden draws testdata/.
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
FILE, CARDS = os.path.join(HERE, "text-line.onnx"), os.path.join(HERE, "..", "cards")
TOLERANCE = 2e-3  # of logits that reach ±30, after float32 sums in another order

NODE = """
const ort = require('onnxruntime-node'), fs = require('fs');
(async () => {
  const [model, input, output, n, w] = process.argv.slice(1);
  const s = await ort.InferenceSession.create(model, {intraOpNumThreads: 1});
  const b = fs.readFileSync(input), x = new Float32Array(b.buffer, b.byteOffset, b.length / 4);
  const t = new ort.Tensor('float32', x, [Number(n), 1, 32, Number(w)]);
  const r = await s.run({line: t});
  fs.writeFileSync(output, Buffer.from(r.logits.data.buffer));
  const c = process.cpuUsage();
  for (let i = 0; i < 10; i++) await s.run({line: t});
  const d = process.cpuUsage(c);
  console.log(`  W ${w}: ${((d.user + d.system) / 1e4 / n).toFixed(2)} ms of CPU a line`);
})().catch(e => { console.error(e); process.exit(1) });
"""


def load(path):
    model, state = Reader(), torch.load(path)
    model.load_state_dict(state.get("mean", state))
    return model.eval()


def export(model, path):
    torch.onnx.export(model, torch.zeros(1, 1, line.HEIGHT, 256), path, input_names=["line"], output_names=["logits"], opset_version=13,
                      dynamic_axes={"line": {0: "N", 3: "W"}, "logits": {0: "N", 1: "T"}}, do_constant_folding=True)
    onnx.checker.check_model(onnx.load(path))


def through_node(path, x):
    """The file's answer in ONNX Runtime, or None where Node's package is not installed."""
    models = os.path.join(HERE, "..")
    if not os.path.isdir(os.path.join(models, "node_modules", "onnxruntime-node")):
        return None
    with tempfile.TemporaryDirectory() as d:
        given, answer = os.path.join(d, "x"), os.path.join(d, "y")
        x.tofile(given)
        subprocess.run(["node", "-e", NODE, path, given, answer, str(len(x)), str(x.shape[3])], check=True, cwd=models)
        return np.fromfile(answer, np.float32).reshape(len(x), x.shape[3] // line.STRIDE, line.CLASSES)


def through_opencv(path, x):
    """One by one, in a copy of the file whose sizes are fixed: OpenCV wants to know them beforehand."""
    with tempfile.TemporaryDirectory() as d:
        copy = onnx.load(path)
        shape = copy.graph.input[0].type.tensor_type.shape.dim
        shape[0].dim_value, shape[3].dim_value = 1, x.shape[3]
        onnx.save(copy, os.path.join(d, "fixed.onnx"))
        reader = cv2.dnn.readNetFromONNX(os.path.join(d, "fixed.onnx"))
    answers = []
    for one in x:
        reader.setInput(one[None])
        answers.append(reader.forward()[0])
    return np.stack(answers)


def verify(model, path):
    for width in line.WIDTHS:
        x, seed = [], 0
        while len(x) < 6:
            x += [line.normalise(p) for p, _, _ in generate.chunk((99, seed), 16) if line.tensor_width(p.shape[1]) == width]
            seed += 1
        x = np.stack(x[:6])
        with torch.no_grad():
            want = model(torch.from_numpy(x)).numpy()
        answers = {"opencv": through_opencv(path, x)}
        runtime = through_node(path, x)
        if runtime is not None:
            answers["onnxruntime"] = runtime
        for name, got in answers.items():
            worst = float(np.abs(got - want).max())
            if worst > TOLERANCE or (got.argmax(2) != want.argmax(2)).mean() > 0:
                raise SystemExit(f"{name}: W {width}: differs from torch by {worst}")
            print(f"{name}: W {width}: {len(x)} lines, largest difference from torch {worst:.1e}")


def golden(model, seed=4242, n=10):
    """Synthetic lines as pictures, with what the reader must answer for them."""
    out = os.path.join(HERE, "testdata")
    os.makedirs(out, exist_ok=True)
    rng, heights, rows = np.random.default_rng(seed), [11, 13, 14, 16, 18, 20, 22, 26, 32, 38], []
    for i in range(n):
        img, text, _, _ = generate.crop(rng, heights[i % len(heights)], machine=i == n - 1)
        fitted = line.fit(img)
        with torch.no_grad():
            logits = model(torch.from_numpy(line.normalise(fitted)[None]))[0].numpy()
        name = f"line-{i + 1}.png"
        cv2.imwrite(os.path.join(out, name), img)
        decoded, sure, frame = line.decode(logits, fitted.shape[1])
        at = [int(round(f)) for f in frame[:2]]
        rows.append({"file": name, "text": text, "decoded": decoded, "confidence": [round(s, 4) for s in sure], "frame": frame, "width": fitted.shape[1],
                     "mean": round(float(fitted.mean()), 3), "std": round(float(fitted.std()), 3),
                     "logits": [{"frame": t, "values": [round(float(v), 3) for v in logits[t]]} for t in at]})
    with open(os.path.join(out, "golden.json"), "w", encoding="utf-8") as f:
        f.write('{"sha256": "%s", "lines": [\n' % digest(FILE) + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]}\n")
    print("golden:", sum(r["text"] == r["decoded"] for r in rows), "of", n, "exact")


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def write_cards(version):
    for name, path in (("text-line.json", FILE), ("text-line-characters.json", line.CHARACTERS)):
        with open(os.path.join(CARDS, name), encoding="utf-8") as f:
            card = json.load(f)
        card["sha256"], card["version"] = digest(path), version
        with open(os.path.join(CARDS, name), "w", encoding="utf-8") as f:
            json.dump(card, f, indent=2, ensure_ascii=False)
            f.write("\n")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--model", required=True)
    a.add_argument("--card", metavar="VERSION", help="write digests and version into the cards")
    a.add_argument("--golden", action="store_true")
    a = a.parse_args()
    cv2.setNumThreads(1)
    model = load(a.model)
    export(model, FILE)
    verify(model, FILE)
    print(os.path.getsize(FILE), "bytes", digest(FILE))
    if a.card:
        write_cards(a.card)
    if a.golden:
        golden(model)


if __name__ == "__main__":
    main()
