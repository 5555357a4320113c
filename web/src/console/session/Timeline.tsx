import type { Review, TimelineEvent } from "../../api/wire.ts";
import { Panel } from "../parts/Panel.tsx";
import { Time } from "../parts/Time.tsx";
import { labelOf, t } from "../words.ts";
import css from "./Timeline.module.css";

/** `session.opened` as people read it: opened. */
const nameOf = (type: string) => type.replace(/^session\./, "").replaceAll(/[._]/g, " ");

/** The events that a review already shows, with the name of the reviewer. */
const said = new Set(["case.noted", "case.reviewed", "case.corrected"]);

type Line = { id: string; at: string; name: string; detail: string; by: string; note: string };

function linesOf(events: readonly TimelineEvent[], reviews: readonly Review[]): Line[] {
  const lines = events
    .filter(({ type }) => !said.has(type))
    .map(
      (event): Line => ({
        id: event.id,
        at: event.at,
        name: nameOf(event.type),
        detail: detailOf(event.payload),
        by: labelOf("actor", event.actor),
        note: "",
      }),
    );
  for (const review of reviews) {
    lines.push({
      id: review.id,
      at: review.at,
      name: labelOf("review", review.kind),
      detail: review.correction ? correctionOf(review.correction) : review.step ? labelOf("evidence", review.step) : "",
      by: review.by.name || t("case.somebody"),
      note: review.note,
    });
  }
  return lines.sort((a, b) => a.at.localeCompare(b.at));
}

/** From what to what a fact was corrected. */
const correctionOf = ({ name, from, to }: NonNullable<Review["correction"]>): string =>
  `${labelOf("fact", name)}: ${from || t("correct.unread")} → ${to}`;

/** What a line says besides its name, in words; ids are for logs, not for reading. */
const told: Readonly<Record<string, string>> = {
  step: "evidence",
  document_kind: "kind",
  country: "",
  outcome: "decision",
  mode: "mode",
  code: "",
  reason: "",
};

function detailOf(payload: unknown): string {
  if (typeof payload !== "object" || payload === null) return "";
  return Object.entries(payload)
    .flatMap(([key, value]) =>
      typeof value === "string" && told[key] !== undefined ? [told[key] ? labelOf(told[key], value) : value] : [],
    )
    .join(" · ");
}

/** What happened, oldest first. */
export function Timeline({ events, reviews = [] }: { events: TimelineEvent[]; reviews?: Review[] }) {
  return (
    <Panel title={t("timeline.title")}>
      {events.length === 0 && <p className={css.none}>{t("timeline.none")}</p>}
      <ol className={css.list}>
        {linesOf(events, reviews).map((line) => (
          <li key={line.id} className={css.event}>
            <span className={css.name}>{line.name}</span>
            <span className={css.detail}>{line.detail}</span>
            <span className={css.by}>{line.by}</span>
            <span className={css.time}>
              <Time iso={line.at} />
            </span>
            {line.note && <blockquote className={css.note}>{line.note}</blockquote>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
