import type { Member, Review, TimelineEvent } from "../../api/wire.ts";
import { isObject } from "../evidence/file.ts";
import { countryOf } from "../parts/country.ts";
import { Panel } from "../parts/Panel.tsx";
import { useReasons } from "../parts/reasons.ts";
import { Time } from "../parts/Time.tsx";
import { capital, has, labelOf, t } from "../words.ts";
import css from "./Timeline.module.css";

/** What an event is called; of one that this console is too old to know, its type without the first word. */
function eventOf(type: string): string {
  const key = `event.${type}`;
  return has(key) ? t(key) : type.replace(/^session\./, "").replaceAll(/[._]/g, " ");
}

/** The events that a review already shows, with the name of the reviewer. */
const said = new Set(["case.noted", "case.reviewed", "case.corrected"]);

type Line = { id: string; at: string; name: string; detail: string; by: string; note: string };

type Named = { reason: (code: string) => string; member: (id: string) => string };

function linesOf(events: readonly TimelineEvent[], reviews: readonly Review[], named: Named): Line[] {
  const lines = events
    .filter(({ type }) => !said.has(type))
    .map(
      (event): Line => ({
        id: event.id,
        at: event.at,
        name: eventOf(event.type),
        detail: detailOf(event.payload, named),
        by: memberOf(event.payload, named) || labelOf("actor", event.actor),
        note: "",
      }),
    );
  for (const review of reviews) {
    lines.push({
      id: review.id,
      at: review.at,
      name: capital(labelOf("review", review.kind)),
      detail: review.correction
        ? correctionOf(review.correction)
        : [...(review.step ? [labelOf("evidence", review.step)] : []), ...review.reasons.map(named.reason)].join(" · "),
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
  steps: "evidence",
  reasons: "reason",
  document_kind: "kind",
  country: "country",
  outcome: "decision",
  mode: "mode",
  code: "reason",
  reason: "reason",
  check: "check",
};

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : typeof value === "string" ? [value] : [];

/** Which step, which document, and for which reasons. */
function detailOf(payload: unknown, { reason }: Named): string {
  if (!isObject(payload)) return "";
  return Object.entries(payload)
    .flatMap(([key, value]) => {
      const family = told[key];
      if (family === undefined) return [];
      return textsOf(value)
        .filter(Boolean)
        .map((one) =>
          family === "reason" ? reason(one) : family === "country" ? countryOf(one) : labelOf(family, one),
        );
    })
    .join(" · ");
}

/** The member to whom a case was given, by name. */
function memberOf(payload: unknown, { member }: Named): string {
  return isObject(payload) && typeof payload.assignee === "string" ? member(payload.assignee) : "";
}

/** What happened, oldest first. */
export function Timeline({
  events,
  reviews = [],
  members = [],
}: {
  events: TimelineEvent[];
  reviews?: Review[];
  members?: Member[];
}) {
  const { name } = useReasons();
  const named = {
    reason: name,
    member: (id: string) => members.find((one) => one.id === id)?.name ?? t("case.somebody"),
  };
  return (
    <Panel title={t("timeline.title")}>
      {events.length === 0 && <p className={css.none}>{t("timeline.none")}</p>}
      <ol className={css.list}>
        {linesOf(events, reviews, named).map((line) => (
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
