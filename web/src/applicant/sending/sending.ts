import { Refused, Unreachable } from "../../api/failure.ts";
import type { CaptureStep, Task } from "../../api/wire.ts";
import type { Run } from "../liveness/record.ts";
import { Parts } from "./parts.ts";
import { put } from "./put.ts";

/** Where a picture comes from. The server is told, and cannot check it. */
type Source = "camera" | "file";
/** What answers a step: one picture, or the frames that answer a challenge. */
export type Answer = { picture: Blob; from: Source } | { challenge: string; run: Run };
export type Sent = { token: string; step: CaptureStep; attempt: string; answer: Answer };

/** A picture up to this length goes in one piece first: parts cost a journey each. */
const inOnePiece = 1 << 20;

const runOf = ({ challenge, run }: { challenge: string; run: Run }, frameBytes?: number[]) =>
  JSON.stringify({
    challenge,
    times_ms: run.times,
    ...(run.light.length > 0 ? { light_ms: run.light } : {}),
    camera: run.camera,
    ...(frameBytes ? { frame_bytes: frameBytes } : {}),
  });

/** A name that says nothing but the format: the person's own may say more. */
const names: Readonly<Record<string, string>> = { "image/png": "picture.png", "application/pdf": "document.pdf" };
const nameOf = ({ type }: Blob): string => names[type] ?? "picture.jpg";

function whole(attempt: string, answer: Answer): FormData {
  const form = new FormData();
  form.set("attempt", attempt);
  if ("picture" in answer) {
    form.set("source", answer.from);
    form.set("picture", answer.picture, nameOf(answer.picture));
    return form;
  }
  form.set("run", runOf(answer));
  for (const [i, frame] of answer.run.frames.entries()) form.append("frame", frame, `frame-${i}.jpg`);
  return form;
}

function naming(attempt: string, answer: Answer, upload: string, size: number): FormData {
  const form = new FormData();
  form.set("attempt", attempt);
  form.set("upload", upload);
  form.set("size", String(size));
  if ("picture" in answer) form.set("source", answer.from);
  else
    form.set(
      "run",
      runOf(
        answer,
        answer.run.frames.map(({ size: bytes }) => bytes),
      ),
    );
  return form;
}

/** The bytes of an answer on their way in parts: those of a run were begun while it was recorded. */
function partsOf({ token, answer }: Sent): Parts {
  if ("run" in answer && answer.run.parts) return answer.run.parts;
  const parts = new Parts(token);
  for (const blob of "run" in answer ? answer.run.frames : [answer.picture]) parts.add(blob);
  return parts;
}

/** Whether the server has no such upload any more, or another one than we think: it is sent anew then. */
const isGone = (error: unknown) =>
  error instanceof Refused && ["not_found", "capture.upload_incomplete"].includes(error.problem.code);

/**
 * Sends an answer, as often as it is asked to: each try goes on from what the last one brought over. In one piece where
 * that is quick, in parts where it is long, was begun that way, or broke off before.
 */
export function sending(sent: Sent): (progress: (part: number) => void, signal: AbortSignal) => Promise<Task> {
  const { token, step, attempt, answer } = sent;
  let parts: Parts | undefined;
  const toStep = (body: FormData, progress: (part: number) => void, signal: AbortSignal) =>
    put<Task>({ method: "PUT", path: `/v1/applicant/steps/${step}`, token, body, progress, signal });
  return async (progress, signal) => {
    const short = "picture" in answer && answer.picture.size <= inOnePiece;
    if (short && !parts) {
      try {
        return await toStep(whole(attempt, answer), progress, signal);
      } catch (error) {
        if (error instanceof Unreachable && !signal.aborted) parts = partsOf(sent);
        throw error;
      }
    }
    parts ??= partsOf(sent);
    try {
      const { upload, size } = await parts.finish(progress, signal);
      return await toStep(naming(attempt, answer, upload, size), () => progress(1), signal);
    } catch (error) {
      if (!isGone(error)) throw error;
      parts.forget();
      throw new Unreachable("the upload is gone", { cause: error });
    }
  };
}
