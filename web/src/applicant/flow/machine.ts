import { assign, setup } from "xstate";
import type { Task } from "../../api/wire.ts";
import { calls } from "../calls.ts";
import { ask, camera, type FlowEvent, giveBack, late, list, offer, poll, send, watch } from "./actors.ts";
import { answerOf, asks, blank, type FlowContext, newAttempt, taken } from "./context.ts";
import { guards } from "./guards.ts";
import { astray, problemOf, toOther, toStepBefore } from "./refusals.ts";
import { captureStep, consentOf, facingOf, firstPage } from "./steps.ts";

const types: {
  context?: FlowContext;
  events?: FlowEvent;
  input?: { token: string; task?: Task | undefined };
} = {};

/**
 * The applicant's flow. The server's Task says what is next (`routing`); between two Tasks the machine only knows
 * how to take one picture and send it. Nothing that this browser believes decides anything.
 */
export const flow = setup({
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
  },
}).createMachine({
  id: "flow",
  context: ({ input }) => ({
    ...blank,
    token: input.token,
    task: input.task ?? null,
    problem: input.task?.problem ?? null,
    challengedAt: performance.now(),
  }),
  initial: "starting",
  on: {
    TASK: { target: ".routing", actions: "takeTask" },
    FAILED: [...astray, { target: ".failed", actions: "keepRequest" }],
    STOP: ".stopping",
    // Consent to biometrics is declined, or taken back.
    FACELESS: { target: ".consent.declining", actions: ["dropPicture", "read"] },
    BACK: ".returning",
  },
  states: {
    // Opening brings the first Task along; a reload has to ask for it.
    starting: { always: [{ guard: ({ context }) => context.task !== null, target: "routing" }, { target: "loading" }] },
    loading: {
      invoke: {
        src: "ask",
        input: asks(({ token }) => calls.task(token)),
      },
      on: {
        TASK: [
          { guard: "stillUnchallenged", target: "failed" },
          { target: "routing", actions: "takeTask" },
        ],
      },
    },
    routing: {
      always: [
        { guard: "checking", target: "checking" },
        { guard: "asked", target: "asked" },
        { guard: "unchallenged", target: "loading" },
        { guard: "wait", target: "waiting" },
        { guard: "review", target: "review" },
        { guard: "approved", target: "approved" },
        { guard: "declined", target: "declined" },
        { guard: "expired", target: "expired" },
        { guard: "declinedConsent", target: "declinedConsent" },
        { guard: "cancelled", target: "cancelled" },
        { guard: "consent", target: "consent" },
        { guard: "choose", target: "choose" },
        { guard: "exhausted", target: "exhausted" },
        { guard: "capture", target: "capture" },
        { target: "failed" },
      ],
    },
    // What the document's picture shows arrives before the next step opens.
    checking: {
      invoke: [
        { src: "watch", input: ({ context }) => ({ token: context.token }) },
        { src: "poll", input: ({ context }) => ({ token: context.token }) },
      ],
      on: {
        TASK: [
          { guard: "stillChecking", actions: "takeTask" },
          { target: "routing", actions: "takeTask" },
        ],
        UNREAD: { target: "routing", actions: "goOnUnread" },
        CLOSE: toOther,
      },
    },
    // Pictures of a document were sent: before they are put aside for another one, the person says so.
    other: {
      initial: "asking",
      states: {
        asking: { on: { OTHER: "changing", CLOSE: "#flow.routing" } },
        changing: { invoke: { src: "ask", input: asks(({ token }) => calls.otherDocument(token)) } },
      },
    },
    // The server asks about the document that was sent.
    asked: {
      initial: "deciding",
      states: {
        deciding: {
          on: {
            REPLY: { target: "replying", actions: assign({ reply: ({ event }) => event.reply }) },
            RETAKE: { target: "#flow.capture", actions: assign({ problem: null }) },
            CLOSE: toOther,
          },
        },
        replying: { invoke: { src: "ask", input: asks(({ token, reply }) => calls.reply(token, reply)) } },
      },
    },
    consent: {
      initial: "reading",
      states: {
        reading: {
          on: {
            CONSENT: [
              { guard: ({ event }) => event.decision === "given", actions: "read", target: "giving" },
              { actions: "read", target: "declining" },
            ],
            FACE: "rereading",
          },
        },
        // A person who thinks again reads what they would agree to. The server already knows that they declined.
        rereading: {
          on: {
            CONSENT: [
              { guard: ({ event }) => event.decision === "given", actions: "read", target: "reconsidering" },
              { target: "reading" },
            ],
            CLOSE: "reading",
          },
        },
        giving: {
          invoke: {
            src: "ask",
            input: asks(({ token, locale, task }) => calls.consent(token, "given", locale, ...consentOf(task))),
          },
        },
        reconsidering: {
          invoke: {
            src: "ask",
            input: asks(({ token, locale }) => calls.consent(token, "given", locale, ...firstPage)),
          },
        },
        declining: {
          invoke: {
            src: "ask",
            input: asks(({ token, locale, task }) => calls.consent(token, "declined", locale, ...consentOf(task))),
          },
        },
      },
    },
    choose: {
      initial: "deciding",
      states: {
        deciding: { always: [{ guard: "asksCountry", target: "country" }, { target: "picking" }] },
        country: {
          invoke: { src: "list", input: ({ context }) => ({ token: context.token }) },
          on: {
            ISSUERS: { actions: assign({ issuers: ({ event }) => event.issuers }) },
            COUNTRY: {
              target: "picking",
              actions: assign({
                issuer: ({ event }) => event.issuer,
                problem: ({ context }) => context.task?.problem ?? null,
              }),
            },
            HANDOFF: "#flow.handoff",
            CLOSE: "#flow.consent",
          },
        },
        picking: {
          on: {
            CHOOSE: "saving",
            CHANGE: "country",
            HANDOFF: "#flow.handoff",
            CLOSE: [
              { guard: ({ context }) => context.task?.asks_country === true, target: "country" },
              { target: "#flow.consent" },
            ],
          },
        },
        saving: {
          invoke: {
            src: "ask",
            input: ({ context, event }) => {
              const kind = event.type === "CHOOSE" ? event.kind : "passport";
              return () => calls.choose(context.token, kind, context.issuer?.code ?? "");
            },
          },
          on: {
            FAILED: [
              ...astray,
              // What is accepted is the server's to say, whatever was on the screen.
              { guard: "isRefusal", target: "picking", actions: "keepProblem" },
              { target: "#flow.failed", actions: "keepRequest" },
            ],
          },
        },
      },
    },
    capture: {
      initial: "intro",
      entry: "beginAnew",
      exit: "dropPicture",
      on: {
        TAKEN: { target: ".reviewing", actions: ["dropPicture", assign({ picture: ({ event }) => event.picture })] },
        REFUSED: { target: ".intro", actions: ["dropPicture", "keepProblem"] },
      },
      states: {
        intro: {
          invoke: {
            src: "late",
            input: ({ context: { token, task, unread } }) => ({ token, task, unread }),
          },
          on: { CAMERA: "camera", WAYS: "ways", HANDOFF: "#flow.handoff", CLOSE: toStepBefore },
        },
        // Other ways to show that a person is there than the usual movements.
        ways: {
          on: { CLOSE: "intro", PATH: { target: "choosing", actions: assign({ path: ({ event }) => event.path }) } },
        },
        choosing: {
          invoke: {
            src: "ask",
            input: asks(({ token, path }) => calls.liveness(token, path)),
          },
        },
        camera: {
          initial: "asking",
          invoke: {
            src: "camera",
            input: ({ context: { task, device, next } }) => ({ facing: facingOf(captureStep(task)), device, next }),
          },
          exit: assign({ stream: null }),
          on: {
            READY: { target: ".framing", actions: "takeCamera" },
            AWAY: { target: ".asking", actions: assign({ stream: null }) },
            BLOCKED: { target: "blocked", actions: assign({ obstacle: ({ event }) => event.obstacle }) },
            CLOSE: "intro",
            WAYS: "ways",
            SWITCH: { target: "camera", reenter: true, actions: "nextCamera" },
          },
          states: {
            asking: {},
            framing: {
              on: {
                RENEW: "renewing",
                RECORDED: {
                  target: "#flow.capture.sending",
                  actions: assign({ run: ({ event }) => event.run, attempt: newAttempt, progress: 0, problem: null }),
                },
              },
            },
            // The challenge would run out before it is answered: another one, while the camera stays open.
            renewing: {
              invoke: {
                src: "ask",
                input: asks(({ token, task }) => calls.liveness(token, task?.challenge?.gentle ? "gentle" : "usual")),
              },
              on: {
                TASK: [
                  { guard: "stillFrames", target: "framing", actions: "takeTask" },
                  { target: "#flow.routing", actions: "takeTask" },
                ],
              },
            },
          },
        },
        blocked: { on: { CAMERA: "camera", CLOSE: "intro", WAYS: "ways", HANDOFF: "#flow.handoff" } },
        reviewing: {
          on: {
            CLOSE: { target: "intro", actions: "dropPicture" },
            USE: { target: "sending", actions: assign({ attempt: newAttempt, progress: 0, problem: null }) },
            AGAIN: [
              {
                guard: ({ context }) => context.picture?.from === "camera",
                target: "camera",
                actions: ["dropPicture", "putAside"],
              },
              { target: "intro", actions: "dropPicture" },
            ],
          },
        },
        sending: {
          invoke: {
            src: "send",
            input: ({ context }) => ({
              token: context.token,
              step: captureStep(context.task),
              attempt: context.attempt,
              answer: answerOf(context),
            }),
          },
          initial: "moving",
          on: {
            PROGRESS: { target: ".moving", actions: assign({ progress: ({ event }) => event.part }) },
            PAUSED: ".paused",
            // What is under way is broken off. It may have arrived all the same: the Task says so.
            CLOSE: "#flow.loading",
            FAILED: [
              ...astray,
              { guard: "isRefusal", target: "refreshing", actions: "keepProblem" },
              { target: "stuck", actions: "keepRequest" },
            ],
          },
          states: { moving: {}, paused: {} },
        },
        // The server stays at the step and may have counted a try: fetch the Task, keep the reason.
        refreshing: {
          invoke: {
            src: "ask",
            input: asks(({ token }) => calls.task(token)),
          },
          on: {
            TASK: {
              target: "#flow.routing",
              actions: "takeTaskKeepProblem",
            },
          },
        },
        // Our side failed for long: the picture stays, and is sent again under the same attempt id.
        stuck: { on: { RETRY: "sending", CLOSE: "#flow.loading" } },
      },
    },
    waiting: {
      invoke: { src: "watch", input: ({ context }) => ({ token: context.token }) },
      on: {
        TASK: [
          { guard: "stillWaiting", actions: "takeTask" },
          { target: "routing", actions: "takeTask" },
        ],
      },
    },
    review: {
      invoke: { src: "watch", input: ({ context }) => ({ token: context.token }) },
      on: {
        TASK: [
          { guard: "stillReviewed", actions: "takeTask" },
          { target: "routing", actions: "takeTask" },
        ],
      },
    },
    // A link for another device is made and shown. The session stays here until that opens it.
    handoff: {
      initial: "making",
      entry: assign({ offer: null }),
      on: { HERE: ".keeping", CLOSE: ".keeping" },
      states: {
        making: {
          invoke: { src: "offer", input: ({ context }) => ({ token: context.token }) },
          on: { OFFERED: { target: "showing", actions: assign({ offer: ({ event }) => event.offer }) } },
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
            input: asks(({ token }) => calls.keepHere(token)),
          },
        },
      },
    },
    // Another device has the session: this one follows, until it is handed back or has ended.
    watching: {
      invoke: { src: "watch", input: ({ context }) => ({ token: context.token }) },
      on: {
        STATUS: [{ guard: "watchedToTheEnd", target: "watched", actions: "takeStatus" }, { actions: "takeStatus" }],
        FAILED: [
          { guard: "isContinued", target: "continued" },
          { guard: "isLost", target: "elsewhere" },
        ],
      },
    },
    watched: {},
    returning: {
      invoke: { src: "giveBack", input: ({ context }) => ({ token: context.token }) },
      on: { WENT_BACK: "returned" },
    },
    returned: {},
    stopping: {
      invoke: {
        src: "ask",
        input: asks(({ token }) => calls.withdraw(token)),
      },
    },
    failed: { on: { RETRY: "loading" } },
    approved: {},
    declined: {},
    expired: {},
    cancelled: {},
    declinedConsent: {},
    exhausted: {
      invoke: { src: "watch", input: ({ context }) => ({ token: context.token }) },
      on: {
        TASK: [
          { guard: "stillExhausted", actions: "takeTask" },
          { target: "routing", actions: "takeTask" },
        ],
      },
    },
    // Another tab or browser has the session; this one can take it back.
    continued: {},
    elsewhere: {},
  },
});
