import { assign, setup } from "xstate";
import type { Task } from "../../api/wire.ts";
import { ask, camera, type FlowEvent, giveBack, late, list, offer, poll, send, watch } from "./actors.ts";
import { type FlowContext, taken } from "./context.ts";
import { guards } from "./guards.ts";
import { problemOf } from "./refusals.ts";

const types: {
  context?: FlowContext;
  events?: FlowEvent;
  /** `begins`: the check begins with the code for a phone. */
  input?: { token: string; task?: Task | undefined; begins?: boolean };
} = {};

/** What the flow's states are made of: what they ask, what they keep, and on what they depend. */
export const parts = setup({
  types,
  actors: { ask, send, watch, poll, late, camera, offer, giveBack, list },
  guards,
  actions: {
    takeTask: assign(({ context, event }) => (event.type === "TASK" ? taken(context, event.task) : {})),
    takeTaskKeepProblem: assign(({ context, event }) =>
      event.type === "TASK" ? { ...taken(context, event.task), problem: context.problem ?? event.task.problem } : {},
    ),
    keepProblem: assign(({ context, event }) => {
      const problem = problemOf(event) ?? (event.type === "REFUSED" ? event.problem : null);
      return problem ? { problem: { ...problem, step: context.task?.step ?? "" } } : {};
    }),
    keepRequest: assign(({ event }) => ({ requestId: problemOf(event)?.request_id ?? "" })),
    dropPicture: assign(({ context }) => {
      if (context.picture) URL.revokeObjectURL(context.picture.url);
      return { picture: null, run: null, progress: 0 };
    }),
    takeStatus: assign(({ event }) => (event.type === "STATUS" ? { status: event.status } : {})),
    beginAnew: assign({ lens: null, device: null, next: false, again: false }),
    putAside: assign({ again: true }),
    goOnUnread: assign(({ context: { task } }) => {
      if (!task) return {};
      const { checking: _, ...rest } = task;
      return { task: rest, unread: true };
    }),
    read: assign(({ event }) => ("locale" in event ? { locale: event.locale } : {})),
    takeCamera: assign(({ context, event }) => {
      if (event.type !== "READY") return {};
      const { stream, lens } = event;
      return { stream, lens, device: context.next ? lens.device : context.device, next: false };
    }),
    nextCamera: assign(({ context }) => ({ device: context.lens?.device ?? context.device, next: true })),
    takeCountry: assign(({ context, event }) =>
      event.type === "COUNTRY" ? { issuer: event.issuer, problem: context.task?.problem ?? null } : {},
    ),
    takePhotos: assign({ photos: true }),
    leaveChip: assign({ chipless: true }),
    stayHere: assign({ begins: false }),
  },
});
