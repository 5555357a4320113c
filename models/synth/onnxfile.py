"""A trained line reader as an ONNX file: writing it, proving that it computes what the weights compute, and what goes with it (card, golden lines).

The proof runs in ONNX Runtime through Node (models/node_modules, the pinned package the program takes its runtime from) where that is
installed, and in OpenCV's own ONNX interpreter always.
"""

import hashlib
import json
import os
import subprocess
import tempfile

import cv2
import numpy as np
import onnx
import torch

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TOLERANCE = 2e-3  # of logits that reach ±30, after float32 sums in another order

NODE = """
const ort = require('onnxruntime-node'), fs = require('fs');
(async () => {
  const [model, input, output, n, h, w] = process.argv.slice(1);
  const s = await ort.InferenceSession.create(model, {intraOpNumThreads: 1});
  const b = fs.readFileSync(input), x = new Float32Array(b.buffer, b.byteOffset, b.length / 4);
  const t = new ort.Tensor('float32', x, [Number(n), 1, Number(h), Number(w)]);
  const r = await s.run({line: t});
  fs.writeFileSync(output, Buffer.from(r.logits.data.buffer));
  const c = process.cpuUsage();
  for (let i = 0; i < 10; i++) await s.run({line: t});
  const d = process.cpuUsage(c);
  console.log(`  W ${w}: ${((d.user + d.system) / 1e4 / n).toFixed(2)} ms of CPU a line`);
})().catch(e => { console.error(e); process.exit(1) });
"""


def load(model, path):
    """The model with the weights of a model.pt, or with the running mean of a checkpoint.pt of a run that goes on."""
    state = torch.load(path)
    model.load_state_dict(state.get("mean", state))
    return model.eval()


def export(model, path, height, width, line=(), logits=()):
    """Writes the model for any number of lines; line and logits are their further axes of no fixed size, with their names."""
    torch.onnx.export(model, torch.zeros(1, 1, height, width), path, input_names=["line"], output_names=["logits"], opset_version=13,
                      dynamic_axes={"line": {0: "N", **dict(line)}, "logits": {0: "N", **dict(logits)}}, do_constant_folding=True)
    onnx.checker.check_model(onnx.load(path))


class Interpreter:
    """The file in OpenCV, one interpreter for each tensor width: OpenCV wants to know all sizes beforehand."""

    def __init__(self, path):
        self.path, self.nets = path, {}

    def run(self, x):
        """float32 [1, h, W] → logits [frames, classes]."""
        w = x.shape[2]
        if w not in self.nets:
            copy = onnx.load(self.path)
            shape = copy.graph.input[0].type.tensor_type.shape.dim
            shape[0].dim_value, shape[3].dim_value = 1, w
            with tempfile.TemporaryDirectory() as d:
                onnx.save(copy, os.path.join(d, "fixed.onnx"))
                self.nets[w] = cv2.dnn.readNetFromONNX(os.path.join(d, "fixed.onnx"))
        self.nets[w].setInput(x[None])
        return self.nets[w].forward()[0].copy()


def through_node(path, x, classes):
    """The file's answer in ONNX Runtime, or None where Node's package is not installed."""
    if not os.path.isdir(os.path.join(MODELS, "node_modules", "onnxruntime-node")):
        return None
    with tempfile.TemporaryDirectory() as d:
        given, answer = os.path.join(d, "x"), os.path.join(d, "y")
        x.tofile(given)
        subprocess.run(["node", "-e", NODE, os.path.abspath(path), given, answer, *map(str, (len(x), x.shape[2], x.shape[3]))], check=True, cwd=MODELS)
        return np.fromfile(answer, np.float32).reshape(len(x), -1, classes)


def prove(model, path, x):
    """Ends the program unless the file gives the model's logits for x [n, 1, h, W]."""
    with torch.no_grad():
        want = model(torch.from_numpy(x)).numpy()
    reader = Interpreter(path)
    answers = {"opencv": np.stack([reader.run(one) for one in x])}
    runtime = through_node(path, x, want.shape[2])
    if runtime is not None:
        answers["onnxruntime"] = runtime
    for name, got in answers.items():
        worst = float(np.abs(got - want).max())
        if worst > TOLERANCE or (got.argmax(2) != want.argmax(2)).any():
            raise SystemExit(f"{name}: W {x.shape[3]}: differs from torch by {worst}")
        print(f"{name}: W {x.shape[3]}: {len(x)} lines, largest difference from torch {worst:.1e}")


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def write_card(name, path, version):
    """Notes the digest of a file and its version in the card of that name."""
    card_path = os.path.join(MODELS, "cards", name + ".json")
    with open(card_path, encoding="utf-8") as f:
        card = json.load(f)
    card["sha256"], card["version"] = digest(path), version
    with open(card_path, "w", encoding="utf-8") as f:
        json.dump(card, f, indent=2, ensure_ascii=False)
        f.write("\n")


def golden(model, line, out, lines, shown, **head):
    """Writes pictures (uint8) of lines and, in golden.json, what the reader must answer for them; shown: frames whose logits are told."""
    os.makedirs(out, exist_ok=True)
    rows = []
    for i, (img, text) in enumerate(lines):
        fitted = line.fit(img)
        with torch.no_grad():
            logits = model(torch.from_numpy(line.normalise(fitted)[None]))[0].numpy()
        name = f"line-{i + 1}.png"
        cv2.imwrite(os.path.join(out, name), img)
        decoded, sure, frame = line.decode(logits, fitted.shape[1])
        rows.append({"file": name, "text": text, "decoded": decoded, "confidence": [round(s, 4) for s in sure], "frame": frame, "width": fitted.shape[1],
                     "mean": round(float(fitted.mean()), 3), "std": round(float(fitted.std()), 3),
                     "logits": [{"frame": t, "values": [round(float(v), 3) for v in logits[t]]} for t in (int(round(f)) for f in frame[:shown])]})
    with open(os.path.join(out, "golden.json"), "w", encoding="utf-8") as f:
        start = json.dumps(head, ensure_ascii=False)[:-1]
        f.write(start + ', "lines": [\n' + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]}\n")
    print("golden:", sum(r["text"] == r["decoded"] for r in rows), "of", len(rows), "exact")
