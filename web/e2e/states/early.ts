import type { State } from "./state.ts";
import { flow, front, selfie, task } from "./steps.ts";

const asked = {
  step: "document_front",
  title: "Has this document expired?",
  remedy:
    "It looks expired to us, but we may have misread the date. Please check it: if it has passed, use another document.",
  asks: true,
} as const;

/** What the reading of a document says before the next step opens. */
export const earlyStates: State[] = [
  flow("checking", { ...selfie, checking: "document_front" }, /Reading your document/),
  flow(
    "asked-kind",
    {
      ...front,
      problem: { ...asked, code: "document.kind_differs", document_kind: "id_card" },
    },
    /looks like an identity card/,
  ),
  flow(
    "asked-expiry",
    { ...front, problem: { ...asked, code: "document.expiry_doubted", expiry: "2025-05-03" } },
    /Did this document expire on/,
  ),
  flow(
    "choose-expired",
    task({
      step: "choose",
      position: 2,
      problem: {
        code: "document.expired",
        step: "choose",
        title: "This document has expired.",
        remedy: "Use another document that is still valid.",
        document_kind: "passport",
        expiry: "2025-05-03",
      },
    }),
    /Which document/,
  ),
];
