import type { Challenge } from "../../api/wire.ts";
import type { Parts } from "../sending/parts.ts";
import { lightAt } from "./light.ts";

/** What was recorded: frames as the camera gave them, when each was taken, and what the browser says of its camera. */
export type Run = {
  frames: Blob[];
  times: number[];
  /** When each colour was shown, in milliseconds since the first frame; none where no colours were shown. */
  light: number[];
  camera: CameraFacts;
  /** The same frames on their way already, where they were sent while the run was recorded. */
  parts?: Parts;
};
type CameraFacts = {
  label?: string;
  facing?: string;
  width?: number;
  height?: number;
  frame_rate?: number;
  hints?: string[];
};

const closest = 320; // milliseconds between two frames: three a second is what the judge makes use of
const spare = 4; // frames that are not used of what the server takes at most
const shortSide = 640;
const qualities = [0.85, 0.7, 0.55] as const;

/** Milliseconds between two frames, so that a whole run stays within what the server takes. */
export function paceOf({ duration_ms, limits }: Challenge): number {
  return Math.max(closest, Math.ceil(duration_ms / Math.max(1, limits.most_frames - spare)));
}

/** The best quality with which the rest of a run still fits when its frames are as large as the last one. */
export function qualityFor(last: number, sent: number, framesLeft: number, most: number): number {
  const left = most * 0.95 - sent;
  const fits = [1, 0.65, 0.45].findIndex((size) => last * size * framesLeft <= left);
  return qualities[fits < 0 ? qualities.length - 1 : fits] ?? 0.55;
}

function factsOf(track: MediaStreamTrack | undefined): CameraFacts {
  const settings = track?.getSettings() ?? {};
  return {
    ...(track?.label ? { label: track.label.slice(0, 200) } : {}),
    ...(settings.facingMode ? { facing: settings.facingMode } : {}),
    ...(settings.width ? { width: settings.width } : {}),
    ...(settings.height ? { height: settings.height } : {}),
    ...(settings.frameRate ? { frame_rate: settings.frameRate } : {}),
    ...(navigator.webdriver ? { hints: ["webdriver"] } : {}),
  };
}

/** Calls back with each new picture of a video, never twice with the same one. */
function eachPicture(video: HTMLVideoElement, seen: (now: number) => void): () => void {
  let handle = 0;
  if ("requestVideoFrameCallback" in video) {
    const next = (now: number) => {
      handle = video.requestVideoFrameCallback(next);
      seen(now);
    };
    handle = video.requestVideoFrameCallback(next);
    return () => video.cancelVideoFrameCallback(handle);
  }
  const element: HTMLVideoElement = video;
  let shown = -1;
  const next = (now: number) => {
    handle = requestAnimationFrame(next);
    if (element.currentTime === shown) return;
    shown = element.currentTime;
    seen(now);
  };
  handle = requestAnimationFrame(next);
  return () => cancelAnimationFrame(handle);
}

/**
 * Records a run: frames at the challenge's pace from now on, unmirrored, no verdict. `tick` says how long it runs, in
 * milliseconds since its first frame; `glow` is given each colour when it is to be shown; `parts` takes each frame as it comes, so that little is left to send at the end. Rejects when `signal` aborts or no frame can be drawn.
 */
export function record(
  video: HTMLVideoElement,
  challenge: Challenge,
  {
    signal,
    tick,
    glow,
    parts,
  }: { signal: AbortSignal; tick: (at: number) => void; glow?: (colour: string) => void; parts?: Parts },
): Promise<Run> {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { alpha: false });
  const pace = paceOf(challenge);
  const { most_bytes, most_frames } = challenge.limits;
  const frames: Blob[] = [];
  const times: number[] = [];
  const light: number[] = [];
  let [began, last, bytes]: [number | null, number, number] = [null, Number.NEGATIVE_INFINITY, 0];
  let busy = false;

  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      stop();
      signal.removeEventListener("abort", aborted);
      settle();
    };
    const aborted = () => end(() => reject(new DOMException("stopped", "AbortError")));
    const keep = (blob: Blob | null, at: number) => {
      busy = false;
      if (signal.aborted) return;
      if (!blob) return end(() => reject(new Error("no picture")));
      frames.push(blob);
      times.push(at);
      bytes += blob.size;
      parts?.add(blob);
      parts?.trickle();
    };
    const seen = (now: number) => {
      began ??= now;
      const at = Math.round(now - began);
      tick(at);
      if (glow) {
        const { colour, begun } = lightAt(challenge, at);
        glow(colour);
        while (light.length < begun) light.push(at);
      }
      if (at > challenge.duration_ms && !busy) {
        const facts = factsOf(video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks()[0] : undefined);
        return end(() => resolve({ frames, times, light, camera: facts, ...(parts ? { parts } : {}) }));
      }
      if (busy || at - last < pace || frames.length >= most_frames) return;
      if (!context || video.videoWidth === 0) return end(() => reject(new Error("no picture")));
      const scale = Math.min(1, shortSide / Math.min(video.videoWidth, video.videoHeight));
      const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      context.drawImage(video, 0, 0, width, height);
      [busy, last] = [true, at];
      const framesLeft = Math.ceil((challenge.duration_ms - at) / pace) + 1;
      const quality = qualityFor(frames.at(-1)?.size ?? 0, bytes, framesLeft, most_bytes);
      canvas.toBlob((blob) => keep(blob, at), "image/jpeg", quality);
    };
    const stop = eachPicture(video, seen);
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted);
  });
}
