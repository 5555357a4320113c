import type { Pose } from "./face-net.ts";
import type { Quad } from "./page.ts";
import { type Prompt, Prompter } from "./prompter.ts";
import type { Look, Part, Said, Weights } from "./talk.ts";

/** What guidance tells the screen: what to say, where the page is (parts of the frame), how long it was held (0–1). */
export type Guidance = { prompt: Prompt; quad: Quad | null; held: number; pose?: Pose };

export type GuideOptions = {
  video: HTMLVideoElement;
  what: Look["what"];
  /** In which oval a face belongs. */
  oval: Look["oval"];
  visible: () => Part;
  /** Milliseconds before a picture may be taken by itself: the camera finds its light, the person the page. */
  settle: number;
  /** Milliseconds between two frames at least; fewer are judged beside a recording. */
  between?: number;
  onGuidance: (guidance: Guidance) => void;
  onShot: (blob: Blob, width: number, height: number) => void;
  /** Guidance is over; the button is all there is. */
  onBroken: () => void;
};

const between = 90; // milliseconds between two frames at least
const patience = 6000; // for an answer

async function weights(): Promise<ArrayBuffer> {
  const answer = await fetch(new URL("./face-net.bin", import.meta.url));
  if (!answer.ok) throw new Error(`the weights are not there: ${answer.status}`);
  return answer.arrayBuffer();
}

/**
 * Watches a camera picture in a worker until it is stopped. One frame at a time is judged; a slow phone judges fewer.
 * Throws where a worker or what it needs is missing.
 */
export function startGuide(options: GuideOptions): () => void {
  if (typeof OffscreenCanvas === "undefined" || typeof createImageBitmap === "undefined") throw new Error("too old");
  const { video } = options;
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "guide" });
  const prompter = new Prompter();
  const began = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  const stop = () => {
    over = true;
    clearTimeout(timer);
    worker.terminate();
  };
  const broken = () => {
    if (over) return;
    stop();
    options.onBroken();
  };
  const after = (ms: number, act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
  const look = async () => {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.paused) return after(between, next);
    const at = performance.now();
    const frame = await createImageBitmap(video);
    if (over) return frame.close();
    const shoots = at - began > options.settle;
    const message: Look = { frame, what: options.what, oval: options.oval, visible: options.visible(), at, shoots };
    after(patience, broken);
    worker.postMessage(message, [frame]);
  };
  const next = () => void look().catch(broken);

  if (options.what === "face") {
    weights()
      .then((file) => over || worker.postMessage({ weights: file } satisfies Weights, [file]))
      .catch(() => undefined); // light is judged without them
  }
  worker.addEventListener("error", broken);
  worker.addEventListener("messageerror", broken);
  worker.addEventListener("message", ({ data }: MessageEvent<Said>) => {
    if (over) return;
    if (data.type === "broken") return broken();
    if (data.type === "shot") {
      stop();
      return options.onShot(data.blob, data.width, data.height);
    }
    const prompt = prompter.hear(data.advice, performance.now());
    options.onGuidance({ prompt, quad: data.quad, held: data.held, ...(data.pose ? { pose: data.pose } : {}) });
    after(data.held < 1 ? (options.between ?? between) : patience, data.held < 1 ? next : broken);
  });
  next();
  return stop;
}
