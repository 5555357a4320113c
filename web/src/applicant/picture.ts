import { CameraError } from "./camera.ts";

/** A picture that was taken but not sent. `url` shows it on this page and must be revoked when the picture is dropped. */
export type Picture = { blob: Blob; url: string; width: number; height: number; from: "camera" | "file" };

const maxBytes = 15_000_000;
const longestSide = 4096;

/** The present frame of a camera picture, in its full resolution. */
export async function snap(video: HTMLVideoElement): Promise<Picture> {
  return encode(video, video.videoWidth, video.videoHeight, "camera");
}

/** Whether it is a PDF file, which has no size in pixels and is shown by its name only. */
export const isPDF = (blob: Blob): boolean =>
  blob.type === "application/pdf" || (blob instanceof File && blob.type === "" && /\.pdf$/i.test(blob.name));

/** Whether a file that could not be opened is one that other browsers open. */
export const isHEIC = (file: File): boolean =>
  /^image\/(hei[cf]|avif)/.test(file.type) || /\.(hei[cf]|avif)$/i.test(file.name);

/**
 * A chosen file as a picture that the server takes: as it is when it can be, else drawn again as a JPEG (large
 * photos, and formats such as HEIC that only this browser can open). Of a PDF the server makes pictures.
 */
export async function pictureOf(file: Blob): Promise<Picture> {
  if (isPDF(file)) return { blob: file, url: "", width: 0, height: 0, from: "file" };
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
