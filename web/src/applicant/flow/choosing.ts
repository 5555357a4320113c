import { assign } from "xstate";
import { calls } from "../calls.ts";
import { presetOf } from "../country.ts";
import { astray } from "./refusals.ts";
import { parts } from "./setup.ts";

/** Which document will be shown: its country, where several are accepted, and its kind, on one screen. */
export const choose = parts.createStateConfig({
  initial: "deciding",
  invoke: {
    src: "list",
    input: ({ context: { token, task, issuers } }) => ({
      token,
      wanted: task?.asks_country === true && issuers === null,
    }),
  },
  states: {
    // The country is preset before anything is asked.
    deciding: {
      always: [
        { guard: "knowsCountry", target: "kind" },
        { guard: "knowsCountries", target: "country" },
      ],
      on: {
        ISSUERS: {
          actions: assign(({ context, event }) => ({
            issuers: event.issuers,
            issuer: presetOf(event.issuers, context.task?.country ?? "", navigator.languages),
          })),
        },
        HANDOFF: "#flow.handoff",
        CLOSE: "#flow.consent",
      },
    },
    country: {
      on: {
        COUNTRY: [
          { guard: "acceptsOneKind", target: "saving", actions: "takeCountry" },
          { target: "kind", actions: "takeCountry" },
        ],
        HANDOFF: "#flow.handoff",
        CLOSE: [{ guard: "knowsCountry", target: "kind" }, { target: "#flow.consent" }],
      },
    },
    kind: {
      on: { CHOOSE: "saving", CHANGE: "country", HANDOFF: "#flow.handoff", CLOSE: "#flow.consent" },
    },
    saving: {
      invoke: {
        src: "ask",
        input: ({ context, event }) => {
          const kind = event.type === "CHOOSE" ? event.kind : (context.task?.accepts[0] ?? "passport");
          return () => calls.choose(context.token, kind, context.issuer?.code ?? "");
        },
      },
      on: {
        FAILED: [
          ...astray,
          // What is accepted is the server's to say, whatever was on the screen.
          { guard: "isRefusal", target: "kind", actions: "keepProblem" },
          { target: "#flow.failed", actions: "keepRequest" },
        ],
      },
    },
  },
});
