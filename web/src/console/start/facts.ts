import type { Mode } from "../../api/wire.ts";

/** What is known of the deployment, from the calls that its pages make, too. What somebody may not read is missing, and nothing is said of it. */
export type Facts = {
  keys?: readonly { id: string; name: string; mode: Mode; status: string; expires_at: string | null }[];
  workflows?: readonly {
    id: string;
    name: string;
    mode: Mode;
    built_in: boolean;
    published: { number: number } | null;
    draft: { changed_at: string } | null;
  }[];
  endpoints?: readonly { id: string; url: string; mode: Mode; stopped_at: string | null }[];
  sessions?: Readonly<Record<Mode, number>>;
  late?: { mode: Mode; n: number };
  findings?: readonly { what: string; health: string; found: string }[];
  trust?: {
    unusable: readonly unknown[];
    updates: readonly { state: string; kind: string; dated: string | null }[];
  };
};

const steps = ["key", "workflow", "webhook", "test", "live"] as const;
export type Step = (typeof steps)[number];

/** Which of the first steps are done; those of which nothing is known are left out. */
export function stepsOf({ keys, workflows, endpoints, sessions }: Facts): { step: Step; done: boolean }[] {
  const own = (one: NonNullable<Facts["workflows"]>[number]) =>
    one.published !== null && (!one.built_in || one.published.number > 1);
  const done: Partial<Record<Step, boolean>> = {
    ...(keys ? { key: keys.some((one) => one.status === "active") } : {}),
    ...(workflows ? { workflow: workflows.some(own) } : {}),
    ...(endpoints ? { webhook: endpoints.length > 0 } : {}),
    ...(sessions ? { test: sessions.test > 0, live: sessions.live > 0 } : {}),
  };
  return steps.flatMap((step) => {
    const known = done[step];
    return known === undefined ? [] : [{ step, done: known }];
  });
}

/** Something that somebody has to do something about. */
export type Concern =
  | { kind: "overdue"; mode: Mode; n: number }
  | { kind: "webhook"; mode: Mode; id: string; url: string }
  | { kind: "finding"; what: string; found: string; backup: boolean }
  | { kind: "key"; mode: Mode; id: string; name: string; at: string; over: boolean }
  | { kind: "draft"; mode: Mode; id: string; name: string; since: string }
  | { kind: "trust_unusable"; n: number }
  | { kind: "trust_pending"; n: number }
  | { kind: "trust_old"; date: string };

const day = 86_400_000;

/** How long before its end a key is named, after how long a draft is, and from which age a trust list is. */
const keySoon = 14 * day;
const draftOld = 7 * day;
const trustOld = 180 * day;

/** What needs somebody, the most pressing first. */
export function concernsOf(facts: Facts, now: number): Concern[] {
  const age = (iso: string) => now - Date.parse(iso);
  const out: Concern[] = [];
  if (facts.late && facts.late.n > 0) out.push({ kind: "overdue", ...facts.late });
  for (const { id, url, mode, stopped_at } of facts.endpoints ?? [])
    if (stopped_at) out.push({ kind: "webhook", mode, id, url });
  for (const { what, health, found } of facts.findings ?? []) {
    const backup = what === "backup";
    if (health === "wrong" || (backup && health !== "ok")) out.push({ kind: "finding", what, found, backup });
  }
  for (const { id, name, mode, status, expires_at } of facts.keys ?? []) {
    const late = expires_at ? age(expires_at) : Number.NEGATIVE_INFINITY;
    if (status !== "revoked" && expires_at && late > -keySoon && late < keySoon)
      out.push({ kind: "key", mode, id, name, at: expires_at, over: late >= 0 });
  }
  if (facts.trust) out.push(...trustConcerns(facts.trust, age));
  for (const { id, name, mode, draft } of facts.workflows ?? [])
    if (draft && age(draft.changed_at) > draftOld) out.push({ kind: "draft", mode, id, name, since: draft.changed_at });
  return out;
}

function trustConcerns({ unusable, updates }: NonNullable<Facts["trust"]>, age: (iso: string) => number): Concern[] {
  const out: Concern[] = [];
  const pending = updates.filter(({ state }) => state === "pending").length;
  if (unusable.length > 0) out.push({ kind: "trust_unusable", n: unusable.length });
  if (pending > 0) out.push({ kind: "trust_pending", n: pending });
  const lists = updates
    .filter(({ state, kind, dated }) => state === "in_force" && kind === "master_list" && dated)
    .map(({ dated }) => dated ?? "")
    .sort();
  const newest = lists.at(-1);
  if (newest && age(newest) > trustOld) out.push({ kind: "trust_old", date: newest });
  return out;
}
