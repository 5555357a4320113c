import { assign } from "xstate";
import { asks } from "./context.ts";
import { handoffs } from "./handoffs.ts";
import { astray } from "./refusals.ts";
import { parts } from "./setup.ts";

const [continued, moved, lost, expired, misplaced] = astray;

/**
 * A link for another device is made and shown. The session stays here until that opens it. A computer shows it before it asks for
 * the document.
 */
export const handoff = parts.createStateConfig({
  initial: "making",
  entry: assign({ offer: null }),
  on: { HERE: ".keeping", CLOSE: ".leaving" },
  states: {
    making: {
      invoke: { src: "offer", input: ({ context }) => ({ token: context.token }) },
      on: {
        OFFERED: { target: "showing", actions: assign({ offer: ({ event }) => event.offer }) },
        FAILED: [
          continued,
          moved,
          lost,
          expired,
          // Nobody asked for the code, so the check goes on without it.
          { guard: "startsOnPhone", target: "#flow.routing", actions: "stayHere" },
          misplaced,
          { target: "#flow.failed", actions: "keepRequest" },
        ],
      },
    },
    showing: {
      invoke: { src: "watch", input: ({ context }) => ({ token: context.token }) },
      on: {
        HANDOFF: "making",
        TASK: [
          { guard: "stillMine", actions: "takeTask" },
          { target: "#flow.routing", actions: "takeTask" },
        ],
        STATUS: { target: "#flow.watching", actions: "takeStatus" },
      },
    },
    keeping: {
      invoke: {
        src: "ask",
        input: asks(({ token }) => handoffs.keep(token)),
      },
      on: { TASK: { target: "#flow.routing", actions: ["stayHere", "takeTask"] } },
    },
    // Back to where the person was, which is the consent page where the code came by itself.
    leaving: {
      invoke: {
        src: "ask",
        input: asks(({ token }) => handoffs.keep(token)),
      },
      on: {
        TASK: [
          { guard: "startsOnPhone", target: "#flow.consent", actions: "takeTask" },
          { target: "#flow.routing", actions: "takeTask" },
        ],
      },
    },
  },
});

/** Another device has the session: this one follows, until it is handed back or has ended. */
export const watching = parts.createStateConfig({
  entry: "stayHere",
  invoke: { src: "watch", input: ({ context }) => ({ token: context.token }) },
  on: {
    STATUS: [{ guard: "watchedToTheEnd", target: "watched", actions: "takeStatus" }, { actions: "takeStatus" }],
    FAILED: [
      { guard: "isContinued", target: "continued" },
      { guard: "isLost", target: "elsewhere" },
    ],
  },
});
