import { useMemo } from "react";
import type {
  CaptureStep,
  Challenge,
  DocumentKind,
  DocumentReply,
  Issuer,
  LivenessPath,
  Task,
  TaskProblem,
} from "../../api/wire.ts";
import type { Run } from "../liveness/record.ts";
import type { Move } from "../parts/Moves.tsx";
import type { Position } from "../parts/Page.tsx";
import type { Picture } from "../picture.ts";
import { Parts } from "../sending/parts.ts";
import type { FlowEvent } from "./actors.ts";
import type { FlowContext } from "./context.ts";

/** What a person can do on the screens of the flow. The functions stay the same while the flow is on the screen. */
export type Actions = ReturnType<typeof actionsOf>;

/** What a screen of the flow is made from. */
export type View = {
  context: FlowContext;
  /** The language of the page, in which consent is answered. */
  locale: string;
  task: Task | null;
  problem: TaskProblem | null;
  step: CaptureStep;
  /** The page was loaded again while it held a picture of this step. */
  lost: boolean;
  kind: DocumentKind;
  position: Position | null;
  /** The movements that the step asks for; null where it takes a picture. */
  challenge: Challenge | null;
  /** Whether the session came to this browser from another device. */
  came: boolean;
  /** Where the person goes when a session that they handed on has ended; "" for nowhere. */
  returnUrl: string;
  move: Move;
  /** Takes the session back from the tab or browser that continued it; rejects where that needs a new link. */
  takeHere: () => Promise<unknown>;
  /** Begins again with another document; null where that is not offered. */
  beginAgain: (() => Promise<unknown>) | null;
  actions: Actions;
  chooseFile: (file: File) => void;
  /** Asks whether to go on without a face; null where that is not offered. */
  onFaceless: (() => void) | null;
};

type Setting = { send: (event: FlowEvent) => void; token: string };

function actionsOf({ send, token }: Setting) {
  return {
    answerConsent: (decision: "given" | "declined", locale: string) => send({ type: "CONSENT", decision, locale }),
    reconsider: () => send({ type: "FACE" }),
    chooseCountry: (issuer: Issuer) => send({ type: "COUNTRY", issuer }),
    changeCountry: () => send({ type: "CHANGE" }),
    choose: (kind: DocumentKind) => send({ type: "CHOOSE", kind }),
    openCamera: () => send({ type: "CAMERA" }),
    switchCamera: () => send({ type: "SWITCH" }),
    loseCamera: () => send({ type: "BLOCKED", obstacle: "busy" }),
    close: () => send({ type: "CLOSE" }),
    takePicture: (picture: Picture) => send({ type: "TAKEN", picture }),
    usePicture: () => send({ type: "USE" }),
    retakePicture: () => send({ type: "AGAIN" }),
    showWays: () => send({ type: "WAYS" }),
    choosePath: (path: LivenessPath) => send({ type: "PATH", path }),
    renew: () => send({ type: "RENEW" }),
    /** Begins the upload of a recording while it is still being made. */
    startParts: () => new Parts(token),
    takeRun: (run: Run) => send({ type: "RECORDED", run }),
    handOff: () => send({ type: "HANDOFF" }),
    stayHere: () => send({ type: "HERE" }),
    takeTask: (task: Task) => send({ type: "TASK", task }),
    goWithout: () => send({ type: "WITHOUT" }),
    goBack: () => send({ type: "BACK" }),
    retry: () => send({ type: "RETRY" }),
    putAside: () => send({ type: "OTHER" }),
    reply: (reply: DocumentReply) => send({ type: "REPLY", reply }),
    retake: () => send({ type: "RETAKE" }),
    refused: (error: unknown) => send({ type: "FAILED", error }),
  };
}

/** Returns the actions of the flow, the same ones at each rendering. */
export function useActions({ send, token }: Setting): Actions {
  return useMemo(() => actionsOf({ send, token }), [send, token]);
}
