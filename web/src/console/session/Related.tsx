import { Link } from "@tanstack/react-router";
import type { RelatedSession } from "../../api/wire.ts";
import { shortId } from "../parts/ids.ts";
import { Panel } from "../parts/Panel.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { sessionLooks } from "../states.ts";
import { labelOf, t } from "../words.ts";
import css from "./Related.module.css";

/** Other sessions of the same document or person; nothing where there are none. */
export function Related({ sessions }: { sessions: readonly RelatedSession[] }) {
  if (sessions.length === 0) return null;
  return (
    <Panel title={t("related.title")} note={t("related.note")}>
      <ul className={css.list}>
        {sessions.map((one) => (
          <li key={one.id} className={css.one}>
            <Link to="/console/sessions/$id" params={{ id: one.id }} className={css.link}>
              {one.external_reference || shortId(one.id)}
            </Link>
            <State shape={sessionLooks[one.state].shape}>{t(sessionLooks[one.state].word)}</State>
            <span className={css.by}>{one.by.map((relation) => labelOf("related", relation)).join(", ")}</span>
            <span className={css.by}>
              <Time iso={one.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
