import type { DocumentReply, Handoff, HandoffStatus, Issuer, LivenessPath, Task, TaskProblem } from "../../api/wire.ts";
import type { Lens, Obstacle } from "../camera.ts";
import type { Run } from "../liveness/record.ts";
import type { Picture } from "../picture.ts";
import type { Answer } from "../sending/sending.ts";

/** What the flow knows beside its state. */
export type FlowContext = {
  token: string;
  /** The language in which the consent page was answered. */
  locale: string;
  task: Task | null;
  /** The issuers of documents, once they have loaded, and the issuer of the document that will be shown. */
  issuers: readonly Issuer[] | null;
  issuer: Issuer | null;
  /** Why the step is asked for again. */
  problem: TaskProblem | null;
  stream: MediaStream | null;
  /** The camera that is open, and the one that the person switched to. */
  lens: Lens | null;
  device: string | null;
  next: boolean;
  obstacle: Obstacle;
  picture: Picture | null;
  /** Frames that answer the task's challenge, in place of a picture. */
  run: Run | null;
  /** When this page first saw the task's challenge (performance.now()). */
  challengedAt: number;
  attempt: string;
  progress: number;
  /** The last picture of this step was put aside. */
  again: boolean;
  /** A reading took too long, and the flow went on without it. */
  unread: boolean;
  /** The last answer to a question about the document. */
  reply: DocumentReply;
  /** The way to show that a person is there that was chosen last. */
  path: LivenessPath;
  /** The person goes on with photos instead of a wallet. */
  photos: boolean;
  /** The person goes on without a chip. */
  chipless: boolean;
  /** The check begins with the code for a phone, until the person chooses to stay here. */
  begins: boolean;
  /** The link for another device, and how far that is once it was opened. */
  offer: Handoff | null;
  status: HandoffStatus | null;
  requestId: string;
};

/** Before anything is known. */
export const blank: FlowContext = {
  token: "",
  locale: "",
  task: null,
  issuers: null,
  issuer: null,
  problem: null,
  stream: null,
  lens: null,
  device: null,
  next: false,
  obstacle: "missing",
  picture: null,
  run: null,
  challengedAt: 0,
  attempt: "",
  progress: 0,
  again: false,
  unread: false,
  reply: "continue",
  path: "usual",
  photos: false,
  chipless: false,
  begins: false,
  offer: null,
  status: null,
  requestId: "",
};

/** A call whose answer is the next Task, made of what the flow knows. */
export const asks =
  (call: (context: FlowContext) => Promise<Task>) =>
  ({ context }: { context: FlowContext }) =>
  () =>
    call(context);

/** What was taken for the present step. */
export const answerOf = ({ task, picture, run }: FlowContext): Answer =>
  run && task?.challenge
    ? { challenge: task.challenge.token, run }
    : { picture: picture?.blob ?? new Blob(), from: picture?.from ?? "file" };

/** A Task that has come: with it its reason, and since when its challenge is known. */
export const taken = (context: FlowContext, task: Task): Pick<FlowContext, "task" | "problem" | "challengedAt"> => {
  const same = task.challenge?.token === context.task?.challenge?.token;
  return { task, problem: task.problem, challengedAt: same ? context.challengedAt : performance.now() };
};

/** New for each try. Not randomUUID, which pages without https do not have. */
export const newAttempt = () =>
  `att_${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
