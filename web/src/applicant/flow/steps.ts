import type { CaptureStep, Task, TaskState } from "../../api/wire.ts";
import type { Subject } from "../calls.ts";
import type { Facing } from "../camera.ts";

const captureSteps: ReadonlySet<string> = new Set<CaptureStep>(["document_front", "document_back", "selfie"]);
export const isCapture = (step: string): step is CaptureStep => captureSteps.has(step);
export const captureStep = (task: Task | null): CaptureStep =>
  task && isCapture(task.step) ? task.step : "document_front";

/** Whether the step is answered with frames: the server says so, and which challenge they answer. */
export const takesFrames = (task: Task | null): boolean => task?.takes === "frames" && task.challenge !== null;

/** Documents lie before the camera at the back, a face before the one at the front. */
export const facingOf = (step: CaptureStep): Facing => (step === "selfie" ? "user" : "environment");

/** Whether frames are asked for and there is nothing yet that they could answer. Without a try left there will not be. */
export const lacksChallenge = (task: Task | null): boolean =>
  task?.state === "step" && task.takes === "frames" && task.challenge === null && task.attempts_left > 0;

/** Whether nothing will follow. */
export const isVerdict = (state: TaskState): boolean =>
  state === "approved" || state === "declined" || state === "expired" || state === "cancelled";

/** What is asked consent for: to compare a face with the document, or only to read the document. */
const subjectOf = (task: Task | null): Subject => (task?.notices.includes("face_not_compared") ? "document" : "face");

/** What the consent page says: what it is about, and whether the check goes on without a face. */
export const consentOf = (task: Task | null): [Subject, boolean] => [subjectOf(task), task?.face_optional ?? false];

/** The consent page for a person who declined and thinks again: the same as the first one. */
export const firstPage: [Subject, boolean] = ["face", true];

/** Returns the number of steps once the person agrees on that page: the face adds one. */
export const stepsWithFace = (total: number): number => total + 1;

/** Whether the person can still take their face out of it: before they agreed, or by taking consent back. */
export const canBeFaceless = (task: Task | null): boolean =>
  task?.state === "step" && task.face_optional && subjectOf(task) === "face";
