import { expect } from "@playwright/test";
import type { Session } from "../../src/api/wire.ts";

/** What the tests read of the answers: a session, its link where it was made, its report. */
export type Answered = Pick<
  Session,
  "id" | "state" | "outcome" | "workflow" | "last_problem" | "keeping" | "follows" | "followed_by"
> & {
  url: string;
  checks?: unknown;
  corrections?: { name: string; from: string; to: string }[];
  report?: {
    notices: string[];
    claims: { name: string; value: string }[];
    captures?: { step: string; source: string }[];
  };
  decisions?: { outcome: string; reasons: { code: string }[] }[];
};

/** Calls the API with a key, and fails where it refuses. */
export const caller =
  (at: () => { url: string; apiKey: string }) =>
  async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const { url, apiKey } = at();
    const answer = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = await answer.json();
    expect(answer.ok, JSON.stringify(json)).toBe(true);
    return json;
  };
