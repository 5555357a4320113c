import { isInApp } from "./browser.ts";

/** Why a camera cannot be used. Each has its own screen with its own way out. */
export type Obstacle = "denied" | "dismissed" | "system" | "missing" | "busy" | "insecure" | "inapp" | "unsupported";
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

/** The obstacle behind an error of getUserMedia. Chromium says in its message whether it was the system or a closed question. */
export function obstacleOf(error: unknown, agent = navigator.userAgent): Obstacle {
  const known = error instanceof Error || error instanceof DOMException;
  const found = byName[known ? error.name : ""] ?? "busy";
  if (found !== "denied" || !known) return found;
  if (isInApp(agent)) return "inapp";
  if (/by system/i.test(error.message)) return "system";
  return /dismissed/i.test(error.message) ? "dismissed" : "denied";
}

/** The camera that is open. */
export type Lens = { device: string; facing: Facing; torch: boolean };

export type Wanted = {
  facing: Facing;
  /** The camera that the person chose before, if any. */
  device: string | null;
  /** Not that one, but the next there is. */
  next: boolean;
};

const sizes: Record<Facing, { width: ConstrainULong; height: ConstrainULong }> = {
  // The server asks for a page of 600 pixels on its shorter side, also from a phone that is held upright.
  environment: { width: { ideal: 2880 }, height: { ideal: 1620 } },
  user: { width: { ideal: 1280 }, height: { ideal: 960 } },
};

const ask = (facing: Facing, which: MediaTrackConstraints): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...sizes[facing] } });

/**
 * Opens a camera: the one that is wanted, else one that faces the right way, else any. The devices are listed only when
 * another camera than the first is wanted, because a look at the list makes some phones drop the camera.
 */
export async function openCamera({ facing, device, next }: Wanted): Promise<MediaStream> {
  if (!window.isSecureContext) throw new CameraError("insecure");
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraError(isInApp() ? "inapp" : "unsupported");
  try {
    const chosen = next ? nextOf(await cameras(), device) : device;
    if (chosen) {
      try {
        return await ask(facing, { deviceId: { exact: chosen } });
      } catch (error) {
        if (obstacleOf(error) !== "missing") throw error; // unplugged since: any other will do
      }
    }
    const stream = await ask(facing, { facingMode: { ideal: facing } });
    return facing === "environment" ? await sharper(stream) : stream;
  } catch (error) {
    throw new CameraError(obstacleOf(error), error);
  }
}

async function cameras(): Promise<MediaDeviceInfo[]> {
  const all = await navigator.mediaDevices.enumerateDevices();
  return all.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId !== "");
}

type Named = { readonly deviceId: string; readonly label: string };

/** The camera after this one; the first where it is not in the list, none where there is no other. */
export function nextOf(list: readonly Named[], device: string | null): string | null {
  const at = list.findIndex(({ deviceId }) => deviceId === device);
  const next = list[(at + 1) % Math.max(1, list.length)]?.deviceId;
  return next === undefined || next === device ? null : next;
}

const behind = /back|rear|environment|rück|arrière/i;
const number = (label: string): number => Number(/\b\d+\b/.exec(label)?.[0] ?? 99);

/** Of several cameras at the back, the one that makers name first, which is the main one; null where this is it. */
export function mainOf(list: readonly Named[], device: string): string | null {
  const back = list.filter(({ label }) => behind.test(label) && !/wide|tele|macro|depth|ultra/i.test(label));
  const [first] = [...back].sort((a, b) => number(a.label) - number(b.label));
  return first && first.deviceId !== device ? first.deviceId : null;
}

const focuses = (stream: MediaStream): boolean => {
  const can: object = stream.getVideoTracks()[0]?.getCapabilities?.() ?? {};
  const modes = "focusMode" in can && Array.isArray(can.focusMode) ? can.focusMode : ["continuous"];
  return modes.includes("continuous") || modes.length === 0;
};

/** Some phones open a wide or a macro lens, which cannot focus: then the main camera instead. */
async function sharper(stream: MediaStream): Promise<MediaStream> {
  if (focuses(stream)) return stream;
  const main = mainOf(await cameras(), lensOf(stream, "environment").device);
  if (!main) return stream;
  closeCamera(stream); // two at once is more than many phones can do
  return ask("environment", { deviceId: { exact: main } }).catch(() =>
    ask("environment", { facingMode: { ideal: "environment" } }),
  );
}

/** What is known of the camera that was opened. `wanted` where it does not say which way it faces. */
export function lensOf(stream: MediaStream, wanted: Facing): Lens {
  const track = stream.getVideoTracks()[0];
  const { deviceId = "", facingMode } = track?.getSettings() ?? {};
  const can: object = track?.getCapabilities?.() ?? {};
  const facing = facingMode === "user" || facingMode === "environment" ? facingMode : wanted;
  return { device: deviceId, facing, torch: "torch" in can && can.torch === true };
}

/** Switches the light beside the camera. False where it cannot be. */
export async function shine(stream: MediaStream, on: boolean): Promise<boolean> {
  const light: MediaTrackConstraintSet & { torch: boolean } = { torch: on };
  const [track] = stream.getVideoTracks();
  return (
    track?.applyConstraints({ advanced: [light] }).then(
      () => true,
      () => false,
    ) ?? false
  );
}

export function closeCamera(stream: MediaStream | null | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
