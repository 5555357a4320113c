import type { Pose } from "./face-net.ts";
import type { Quad, Shape } from "./page.ts";

/** What is to be done, most pressing first. `search`: nothing is found; `hold`: all is well. */
export type Advice =
  | "search"
  | "alone"
  | "back"
  | "coarse"
  | "closer"
  | "dark"
  | "bright"
  | "glare"
  | "backlit"
  | "still"
  | "blurred"
  | "hold";

/** Part of a picture: the left, upper, right and lower bound, each 0–1. */
export type Part = { x0: number; y0: number; x1: number; y1: number };

export type Look = {
  frame: ImageBitmap;
  /** What is looked for. */
  what: Shape | "face";
  /** The oval in which a face belongs, as Frame draws it: a picture's, or the smaller one of a challenge. */
  oval: "oval" | "face";
  /** What of the frame the person sees. */
  visible: Part;
  /** When the frame was taken, in milliseconds. */
  at: number;
  /** Whether a good picture is taken by itself yet. */
  shoots: boolean;
};

/** What the face detector knows. The page fetches it: a worker has the policy of its own file, which lets it fetch nothing. */
export type Weights = { weights: ArrayBuffer };

/** Corners are parts (0–1) of the frame's width and height; `held` is how much of the time to hold still is over. */
export type Seen = { type: "seen"; advice: Advice; quad: Quad | null; held: number; pose?: Pose };
export type Shot = { type: "shot"; blob: Blob; width: number; height: number };
/** Something failed: from here on the person presses the button. */
export type Broken = { type: "broken" };
export type Said = Seen | Shot | Broken;
