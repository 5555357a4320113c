import { assign } from "xstate";
import { calls } from "../calls.ts";
import { firstTask } from "../wallet/ask.ts";
import { choose } from "./choosing.ts";
import { answerOf, asks, blank, newAttempt } from "./context.ts";
import { handoff, watching } from "./elsewhere.ts";
import { later } from "./later.ts";
import { astray, toOther, toStepBefore } from "./refusals.ts";
import { parts } from "./setup.ts";
import { captureStep, consentOf, facingOf, firstPage } from "./steps.ts";

/**
 * The applicant's flow. The server's Task says what is next (`routing`); between two Tasks the machine only knows
 * how to take one picture and send it. Nothing that this browser believes decides anything.
 */
export const flow = parts.createMachine({
  id: "flow",
  context: ({ input }) => ({
    ...blank,
    token: input.token,
    task: input.task ?? null,
    problem: input.task?.problem ?? null,
    begins: input.begins ?? false,
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
        input: asks(({ token }) => firstTask(token)),
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
        { guard: "offersWallet", target: "wallet" },
        { guard: "startsOnPhone", target: "handoff" },
        { guard: "choose", target: "choose" },
        { guard: "exhausted", target: "exhausted" },
        { guard: "offersChip", target: "chip" },
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
        changing: { invoke: { src: "ask", input: asks(({ token }) => later.otherDocument(token)) } },
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
    // A wallet is asked; its answer is the server's to judge.
    wallet: {
      on: {
        TASK: { target: "routing", actions: "takeTask" },
        WITHOUT: { target: "routing", actions: "takePhotos" },
        CLOSE: toStepBefore,
      },
    },
    // An app reads the document's chip; live updates say that it did.
    chip: {
      invoke: { src: "watch", input: ({ context }) => ({ token: context.token }) },
      on: {
        TASK: [
          { guard: "stillChipless", actions: "takeTask" },
          { target: "routing", actions: "takeTask" },
        ],
        WITHOUT: { target: "routing", actions: "leaveChip" },
        CLOSE: toStepBefore,
      },
    },
    choose,
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
    handoff,
    watching,
    watched: {},
    returning: {
      invoke: { src: "giveBack", input: ({ context }) => ({ token: context.token }) },
      on: { WENT_BACK: "returned" },
    },
    returned: {},
    stopping: {
      invoke: {
        src: "ask",
        input: asks(({ token }) => later.withdraw(token)),
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
