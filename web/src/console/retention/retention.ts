import type { HeldSession, Retention, RetentionPreview, RetentionRun, RetentionSetting } from "../../api/wire.ts";
import { t, words } from "../words.ts";

/** The kinds of data that a time of keeping is about. */
export const kinds = ["pictures", "report", "test", "audit"] as const;
export type Kind = (typeof kinds)[number];

const fields = {
  pictures: "pictures_hours",
  report: "report_hours",
  test: "test_hours",
  audit: "audit_hours",
} as const satisfies Record<Kind, keyof RetentionSetting>;

const day = 24;
const year = 365 * day;

/** A span in the largest unit in which it is a whole number. */
export function spanOf(hours: number): string {
  if (hours >= year && hours % year === 0) return t("retention.years", { n: hours / year });
  if (hours % day === 0) return t("retention.days", { n: hours / day });
  return t("retention.hours", { n: hours });
}

/** What somebody may choose for a kind, in hours. */
export function boundsOf({ least, default: most }: Retention, kind: Kind): { least: number; most: number } {
  const field = fields[kind];
  return { least: least[field] ?? 0, most: most[field] ?? 0 };
}

/** What was set for a kind; 0 where the default holds. */
const setOf = (setting: RetentionSetting, kind: Kind): number => setting[fields[kind]];

/** What holds for a kind: pictures are never kept longer than the report. */
export function keptOf({ set, default: most }: Retention, kind: Kind): number {
  const kept = setOf(set, kind) || setOf(most, kind);
  return kind === "pictures" ? Math.min(kept, setOf(set, "report") || setOf(most, "report")) : kept;
}

/** The setting with another time for one kind; the default is said by 0. */
export function changed(data: Retention, kind: Kind, hours: number): RetentionSetting {
  const to = hours === boundsOf(data, kind).most ? 0 : hours;
  const next = { ...data.set, [fields[kind]]: to };
  // Pictures follow a report that is shortened below them.
  return kind === "report" && to !== 0 && next.pictures_hours > to ? { ...next, pictures_hours: 0 } : next;
}

/** Of a preview only what goes sooner. */
export const soonerOf = ({ kinds: all }: RetentionPreview): RetentionPreview["kinds"] =>
  all.filter(({ sooner }) => sooner > 0);

/** What a run erased, in words; empty where it found nothing. */
export function erasedBy({ pictures, sessions, entries }: RetentionRun): string {
  const parts = [
    pictures > 0 && t("retention.run.pictures", { n: pictures }),
    sessions > 0 && t("retention.run.sessions", { n: sessions }),
    entries > 0 && t("retention.run.entries", { n: entries }),
  ].filter((part) => part !== false);
  return new Intl.ListFormat(words.language).format(parts);
}

const lateAfter = 3;

/** Returns whether the job is overdue by three intervals. A job that has never run is not: the deployment may be new. */
export const isLate = ({ last_run, every_minutes }: Retention, now = Date.now()): boolean =>
  last_run !== null && now - Date.parse(last_run.started_at) > lateAfter * every_minutes * 60_000;

export type HoldDue = "unfinished" | "overdue" | "pictures" | "later";

/** What would become of a held session without its hold. */
export function holdDue({ pictures_until, report_until }: HeldSession, now = Date.now()): HoldDue {
  if (!report_until) return "unfinished";
  if (Date.parse(report_until) <= now) return "overdue";
  return pictures_until && Date.parse(pictures_until) <= now ? "pictures" : "later";
}
