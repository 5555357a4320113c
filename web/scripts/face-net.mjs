// Makes src/applicant/guide/face-net.bin from models/pack/face-detect.onnx: the face detector's weights in eight bits, for the
// kernel in face-net.ts. Run it again when the model's card names another digest: node scripts/face-net.mjs
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const at = (path) => new URL(path, import.meta.url);
const card = JSON.parse(readFileSync(at("../../models/cards/face-detect.json"), "utf8"));
const model = readFileSync(at("../../models/pack/face-detect.onnx"));
if (createHash("sha256").update(model).digest("hex") !== card.sha256) throw new Error("not the model that the card names");

/** The fields of one protobuf message: number, then value (a number, or bytes). */
function* fields(bytes) {
  let i = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[i++];
      value |= BigInt(byte & 127) << shift;
      if (!(byte & 128)) return Number(BigInt.asIntN(64, value));
    }
  };
  while (i < bytes.length) {
    const key = varint();
    const kind = key & 7;
    const size = kind === 1 ? 8 : kind === 5 ? 4 : kind === 2 ? varint() : 0;
    yield [key >> 3, kind === 0 ? varint() : bytes.subarray(i, i + size)];
    i += size;
  }
}
const all = (bytes, field) => [...fields(bytes)].filter(([n]) => n === field).map(([, value]) => value);
const text = (bytes, field) => all(bytes, field)[0].toString();

const [graph] = all(model, 7);
const tensors = new Map(
  all(graph, 5).map((bytes) => {
    const [raw] = all(bytes, 9);
    const floats = raw && new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
    return [text(bytes, 8), { dims: all(bytes, 1), floats }];
  }),
);
const convolutions = all(graph, 1)
  .filter((node) => text(node, 4) === "Conv")
  .map((node) => all(node, 1).map(String));

const floats = [];
const bytes = [];
for (const [, weight, bias] of convolutions) {
  const { dims, floats: w } = tensors.get(weight);
  const each = w.length / dims[0];
  const scales = [];
  for (let o = 0; o < dims[0]; o++) {
    const row = w.subarray(o * each, (o + 1) * each);
    const scale = Math.max(...row.map(Math.abs)) / 127 || 1;
    scales.push(scale);
    for (const one of row) bytes.push(Math.round(one / scale));
  }
  floats.push(...scales, ...tensors.get(bias).floats);
}
const head = Buffer.from(new Float32Array(floats).buffer);
const size = Buffer.from(new Uint32Array([floats.length]).buffer);
writeFileSync(at("../src/applicant/guide/face-net.bin"), Buffer.concat([size, head, Buffer.from(new Int8Array(bytes).buffer)]));
console.log(`${floats.length} scales and biases, ${bytes.length} weights`);
