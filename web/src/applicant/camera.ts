/** Why a camera cannot be used. Each has its own screen with its own way out. */
export const obstacles = ["denied", "missing", "busy", "insecure", "inapp"] as const;
export type Obstacle = (typeof obstacles)[number];
export type Facing = "environment" | "user";

export class CameraError extends Error {
  override readonly name = "CameraError";
  readonly obstacle: Obstacle;
  constructor(obstacle: Obstacle, cause?: unknown) {
    super(obstacle, { cause });
    this.obstacle = obstacle;
  }
}

const byName: Record<string, Obstacle> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  DevicesNotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  TrackStartError: "busy",
  AbortError: "busy",
};

/** Browsers inside other apps: most of them never lend the camera. */
const inApp = /\bFBAN|FBAV|Instagram|Line\/|MicroMessenger|TikTok|Twitter|Snapchat|GSA\//;

export function obstacleOf(error: unknown, agent = navigator.userAgent): Obstacle {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  const found = byName[name] ?? "busy";
  return found === "denied" && inApp.test(agent) ? "inapp" : found;
}

export type Browser = "ios" | "android" | "firefox" | "safari" | "chromium";

/** Which browser's words to use for allowing the camera. Only words hang on it, never behaviour. */
export function browserOf(agent = navigator.userAgent): Browser {
  if (/iPhone|iPad|iPod/.test(agent)) return "ios";
  if (/Firefox\//.test(agent)) return "firefox";
  if (/Android/.test(agent)) return "android";
  if (/Safari\//.test(agent) && !/Chrom(e|ium)\//.test(agent)) return "safari";
  return "chromium";
}

/**
 * Opens a camera: the one that faces the right way if there is one, any other else. One call, because a second
 * look at the list of devices makes some phones drop the camera.
 */
export async function openCamera(facing: Facing): Promise<MediaStream> {
  if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) {
    throw new CameraError(inApp.test(navigator.userAgent) ? "inapp" : "insecure");
  }
  const size =
    facing === "user"
      ? { width: { ideal: 1280 }, height: { ideal: 960 } }
      : { width: { ideal: 2560 }, height: { ideal: 1440 } };
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: facing }, ...size },
    });
  } catch (error) {
    throw new CameraError(obstacleOf(error), error);
  }
}

export function closeCamera(stream: MediaStream | null | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** A picture that was taken but not sent. `url` shows it on this page; whoever drops it revokes the url. */
export type Picture = { blob: Blob; url: string; width: number; height: number; from: "camera" | "file" };

const maxBytes = 15_000_000;
const longestSide = 4096;

/** The present frame of a camera picture, in its full resolution. */
export async function snap(video: HTMLVideoElement): Promise<Picture> {
  return encode(video, video.videoWidth, video.videoHeight, "camera");
}

/**
 * A chosen file as a picture that the server takes: as it is when it can be, else drawn again as a JPEG (large
 * photos, and formats such as HEIC that only this browser can open).
 */
export async function pictureOf(file: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const { width, height } = bitmap;
  const plain = /^image\/(jpeg|png|webp)$/.test(file.type) && file.size <= maxBytes && width * height <= 50_000_000;
  const picture: Picture = plain
    ? { blob: file, url: URL.createObjectURL(file), width, height, from: "file" }
    : await encode(bitmap, width, height, "file");
  bitmap.close();
  return picture;
}

async function encode(
  source: CanvasImageSource,
  width: number,
  height: number,
  from: Picture["from"],
): Promise<Picture> {
  if (width === 0 || height === 0) throw new CameraError("busy");
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (!context) throw new CameraError("busy");
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
  if (!blob) throw new CameraError("busy");
  return { blob, url: URL.createObjectURL(blob), width: canvas.width, height: canvas.height, from };
}
