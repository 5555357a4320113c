import type { Capture, Check, Finding, Movement, SessionFile } from "../../api/wire.ts";
import { boxOf, checksOf, isNumber, isObject, type Mark, marksOf } from "./file.ts";

type Place = NonNullable<Finding["places"]>[number];

/** What a check found on one capture: the frames or regions that show it. */
export type Signal = { check: Check; finding: Finding; places: Place[] };

const shows = (capture: Capture, { frame, side }: Place): boolean =>
  capture.kind === "frames" ? frame !== undefined : frame === undefined && capture.side === (side ?? "");

/** The signals of a capture: checks that did not pass and say where. */
export function signalsOf(file: SessionFile, capture: Capture): Signal[] {
  const replaced = file.captures.some(
    (other) => other.step === capture.step && other.created_at > capture.created_at && other.id !== capture.id,
  );
  if (replaced) return []; // what was found is about the newest try
  return checksOf(file).flatMap((check) => {
    const { finding } = check;
    if (!finding || finding.outcome === "pass" || check.lifecycle !== "settled") return [];
    const places = (finding.places ?? []).filter((place) => shows(capture, place));
    return places.length > 0 ? [{ check, finding, places }] : [];
  });
}

/** The newest capture that shows what a check found; null where it says no place, or the capture cannot be opened. */
export function whereOf(file: SessionFile, check: Check): Capture | null {
  const shown = file.captures.filter(
    (capture) => capture.url && signalsOf(file, capture).some((signal) => signal.check.kind === check.kind),
  );
  return shown.at(-1) ?? null;
}

/** The regions of a page that signals suspect. A report that does not say where is helped out by what was measured on the page. */
export function suspectsOf(file: SessionFile, capture: Capture): Mark[] {
  const found = signalsOf(file, capture).flatMap(({ places }) =>
    places.flatMap(({ box, what }): Mark[] => {
      const at = boxOf(box);
      return at ? [{ kind: "edited", box: at, label: what ?? "edited" }] : [];
    }),
  );
  const measured = marksOf(file, capture.id).filter(({ kind }) => kind === "edited");
  return found.length > 0 ? found : measured;
}

export type FilmFrame = { index: number; at: number; move: Movement | ""; marks: { signal: Signal; place: Place }[] };

/** How many frames one picture of a run shows, and how many stand in one of its rows: the server's numbers. */
const mostFrames = 24;
export const columns = 6;

const moves: readonly Movement[] = ["left", "right", "up", "down", "closer"];

/** After a prompt the head needs a moment to follow, and to come back, in ms. */
const lag = 600;

function promptsOf(challenge: unknown): { move: Movement; from: number; to: number }[] {
  const prompts = isObject(challenge) && Array.isArray(challenge.prompts) ? challenge.prompts : [];
  return prompts.flatMap((prompt: unknown) => {
    if (!isObject(prompt)) return [];
    const move = moves.find((one) => one === prompt.move);
    const { at_ms: at, for_ms: lasts } = prompt;
    return move && isNumber(at) && isNumber(lasts) ? [{ move, from: at, to: at + lasts + lag }] : [];
  });
}

/** Returns up to `most` of `count` frames in their order: those that are asked for, and others evenly between them. */
export function chosenFrames(count: number, wanted: readonly number[], most = mostFrames): number[] {
  const chosen = new Set(wanted.filter((index) => index >= 0 && index < count).slice(0, most));
  const even = Math.min(count, most);
  for (let i = 0; i < even && chosen.size < even; i++) chosen.add(Math.floor((i * count) / even));
  return [...chosen].sort((a, b) => a - b);
}

/** The frames of a run with the prompt that each answers and what signals found in it; null where the run was not looked at. */
export function filmOf(file: SessionFile, capture: Capture): FilmFrame[] | null {
  const track = file.artifacts.find(
    (one) => one.capture === capture.id && one.kind === "liveness_track" && one.present,
  );
  if (capture.kind !== "frames" || !isObject(track?.data) || !Array.isArray(track.data.frames)) return null;
  const frames: unknown[] = track.data.frames;
  const prompts = promptsOf(track.data.challenge);
  const marks = signalsOf(file, capture).flatMap((signal) => signal.places.map((place) => ({ signal, place })));
  const wanted = marks.flatMap(({ place }) => (place.frame === undefined ? [] : [place.frame]));
  const chosen = chosenFrames(frames.length, wanted);
  return chosen.map((index) => {
    const frame = frames[index];
    const at = isObject(frame) && isNumber(frame.at_ms) ? frame.at_ms : 0;
    return {
      index,
      at,
      move: prompts.find(({ from, to }) => at >= from && at < to)?.move ?? "",
      marks: marks.filter(({ place }) => place.frame === index),
    };
  });
}
