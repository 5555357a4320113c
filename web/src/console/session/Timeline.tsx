import type { TimelineEvent } from "../../api/wire.ts";
import { Time } from "../parts/Time.tsx";
import { t, worded } from "../words.ts";
import { Panel } from "./Panel.tsx";
import css from "./Timeline.module.css";

/** `session.opened` as people read it: opened. */
const nameOf = (type: string) => type.replace(/^session\./, "").replaceAll(/[._]/g, " ");

/** What a line says besides its name, in words; ids are for logs, not for reading. */
const told: Readonly<Record<string, string>> = {
  step: "evidence",
  document_kind: "kind",
  outcome: "decision",
  mode: "mode",
  code: "",
  reason: "",
};

function detailOf(payload: unknown): string {
  if (typeof payload !== "object" || payload === null) return "";
  return Object.entries(payload)
    .flatMap(([key, value]) =>
      typeof value === "string" && told[key] !== undefined ? [told[key] ? worded(told[key], value) : value] : [],
    )
    .join(" · ");
}

/** What happened, oldest first. */
export function Timeline({ events }: { events: TimelineEvent[] }) {
  return (
    <Panel title={t("timeline.title")}>
      {events.length === 0 && <p className={css.none}>{t("timeline.none")}</p>}
      <ol className={css.list}>
        {events.map((event) => (
          <li key={event.id} className={css.event}>
            <span className={css.name}>{nameOf(event.type)}</span>
            <span className={css.detail}>{detailOf(event.payload)}</span>
            <span className={css.by}>{worded("actor", event.actor)}</span>
            <span className={css.time}>
              <Time iso={event.at} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
