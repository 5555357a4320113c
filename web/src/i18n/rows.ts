// Made by `make gen`.

/** The rows of the default policy. */
export const rows: ReadonlySet<string> = new Set([
  "a confirmed fact rules it out",
  "a better picture can fix it",
  "a measured sign of deceit",
  "the face does not match, also on the extra try",
  "it needs review",
  "the evidence falls short of the assurance level that the workflow asks for",
  "every required check passed",
  "no rule applied",
]);
