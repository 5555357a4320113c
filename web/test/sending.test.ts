import { Blob as NodeBlob } from "node:buffer";
import { HttpResponse, http } from "msw";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Parts } from "../src/applicant/sending/parts.ts";
import { type Sent, sending } from "../src/applicant/sending/sending.ts";
import { problem, refuse, server, task } from "./server.ts";

// jsdom's blobs and forms do not reach a server: those of Node.js do. What is sent goes through fetch.
class Sender {
  upload = { onprogress: null, onload: null };
  response: unknown = null;
  status = 0;
  #to = { method: "", url: "" };
  readonly #headers = new Headers();
  onload: () => void = () => undefined;
  onerror: () => void = () => undefined;
  open(method: string, url: string) {
    this.#to = { method, url: new URL(url, location.href).href };
  }
  setRequestHeader(name: string, value: string) {
    this.#headers.set(name, value);
  }
  getResponseHeader() {
    return null;
  }
  abort() {}
  send(body: FormData | Blob) {
    fetch(this.#to.url, { method: this.#to.method, headers: this.#headers, body })
      .then(async (answer) => {
        this.status = answer.status;
        this.response = await answer.json();
        this.onload();
      })
      .catch(() => this.onerror());
  }
}

beforeAll(async () => {
  const form = await new Response(new URLSearchParams("a=b")).formData();
  vi.stubGlobal("FormData", form.constructor);
  vi.stubGlobal("Blob", NodeBlob);
  vi.stubGlobal("XMLHttpRequest", Sender);
});

afterAll(() => vi.unstubAllGlobals());

const partBytes = 512 << 10;
const noise = (size: number) => new Blob([new Uint8Array(size).map((_, i) => (i * 31 + (i >> 8)) & 255)]);
const bytesOf = async (...blobs: Blob[]) => Buffer.from(await new Response(new Blob(blobs)).arrayBuffer());
const never = new AbortController().signal;
const quiet = () => undefined;

/** A server that keeps what comes in parts, as ours does, and whose line breaks when it is told to. */
function line({ breaks = [] as number[], forgets = false } = {}) {
  const seen = { uploads: 0, parts: [] as { from: number; bytes: number }[], steps: [] as FormData[], asked: 0 };
  let there = Buffer.alloc(0);
  const upload = () => ({
    id: `upl_${seen.uploads}`,
    received: there.length,
    part_bytes: partBytes,
    most_bytes: 15 << 20,
    expires_at: "2026-11-23T11:30:00Z",
  });
  server.use(
    http.post("*/v1/applicant/uploads", () => {
      seen.uploads++;
      there = Buffer.alloc(0);
      return HttpResponse.json(upload(), { status: 201 });
    }),
    http.get("*/v1/applicant/uploads/:id", ({ params }) => {
      seen.asked++;
      if (forgets || params.id !== `upl_${seen.uploads}`) return refuse(problem("not_found", 404));
      return HttpResponse.json(upload());
    }),
    http.patch("*/v1/applicant/uploads/:id", async ({ request }) => {
      const from = Number(request.headers.get("Upload-Offset"));
      const body = new Uint8Array(await request.arrayBuffer());
      if (from !== there.length) return refuse(problem("capture.upload_offset", 409));
      seen.parts.push({ from, bytes: body.length });
      const broken = breaks.includes(seen.parts.length);
      if (!broken || seen.parts.length % 2 === 0) there = Buffer.concat([there, body]);
      return broken ? HttpResponse.error() : HttpResponse.json(upload());
    }),
    http.put("*/v1/applicant/steps/:step", async ({ request }) => {
      const form = await request.formData();
      seen.steps.push(form);
      if (form.get("picture") && breaks.includes(0)) return HttpResponse.error();
      return HttpResponse.json(task({ step: "selfie" }));
    }),
  );
  return { seen, have: () => there };
}

const pictureOf = (picture: Blob): Sent => ({
  token: "t",
  step: "document_front",
  attempt: "att_1",
  answer: { picture, from: "file" },
});

/** Tries until it is through, as the flow does. */
async function through(sent: Sent): Promise<number> {
  const go = sending(sent);
  for (let tries = 1; ; tries++) {
    try {
      await go(quiet, never);
      return tries;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

describe("what goes to the server", () => {
  it("a small picture goes in one piece", async () => {
    const { seen } = line();
    await through(pictureOf(noise(1000)));
    expect(seen.uploads).toBe(0);
    expect(seen.steps[0]?.get("picture")).toMatchObject({ size: 1000 });
    expect(seen.steps[0]?.get("source")).toBe("file");
  });

  it("a small picture whose sending broke goes in parts", async () => {
    const picture = noise(1000);
    const { seen, have } = line({ breaks: [0] });
    expect(await through(pictureOf(picture))).toBe(2);
    expect(have().equals(await bytesOf(picture))).toBe(true);
    expect(["upload", "size", "source"].map((field) => seen.steps.at(-1)?.get(field))).toEqual([
      "upl_1",
      "1000",
      "file",
    ]);
  });

  it("a large picture goes in parts, in their order", async () => {
    const picture = noise(3 * partBytes + 1);
    const { seen, have } = line();
    await through(pictureOf(picture));
    expect(seen.parts.map(({ from }) => from)).toEqual([0, partBytes, 2 * partBytes, 3 * partBytes]);
    expect(have().equals(await bytesOf(picture))).toBe(true);
  });

  it("after a broken line it goes on from what is there, whether or not the last part came through", async () => {
    const picture = noise(3 * partBytes);
    const { seen, have } = line({ breaks: [2, 3] }); // the second part comes through without an answer, the third does not
    expect(await through(pictureOf(picture))).toBe(3);
    expect(seen.parts.map(({ from }) => from / partBytes)).toEqual([0, 1, 2, 2]);
    expect([seen.uploads, seen.asked]).toEqual([1, 2]);
    expect(have().equals(await bytesOf(picture))).toBe(true);
  });

  it("an upload that the server has no more is sent anew", async () => {
    const picture = noise(3 * partBytes);
    const { seen, have } = line({ breaks: [2], forgets: true });
    await through(pictureOf(picture));
    expect(seen.uploads).toBe(2);
    expect(have().equals(await bytesOf(picture))).toBe(true);
  });

  it("frames are on their way while they are recorded, and the step says how long each is", async () => {
    const { seen, have } = line();
    const parts = new Parts("t");
    const frames = [noise(200_000), noise(100_000), noise(50_000)];
    for (const frame of frames) {
      parts.add(frame);
      parts.trickle();
    }
    await expect.poll(() => seen.parts.length).toBeGreaterThan(0);
    expect(seen.steps).toEqual([]);
    const run = { frames, times: [0, 320, 640], light: [40, 400], camera: {}, parts };
    await through({ token: "t", step: "selfie", attempt: "att_1", answer: { challenge: "chl", run } });
    const said = JSON.parse(String(seen.steps[0]?.get("run")));
    expect(said.frame_bytes).toEqual([200_000, 100_000, 50_000]);
    expect(said.light_ms).toEqual([40, 400]);
    expect(have().equals(await bytesOf(...frames))).toBe(true);
  });
});
