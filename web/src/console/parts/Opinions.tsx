import type { Opinion } from "../../api/wire.ts";
import { t } from "../words.ts";
import css from "./Opinions.module.css";
import { Time } from "./Time.tsx";

/** What each reviewer said of a matter, with their notes, oldest first. */
export function Opinions({
  said,
  decision,
  reason,
}: {
  said: readonly Opinion[];
  /** The words of a decision, and of a reason. */
  decision: (value: string) => string;
  reason: (value: string) => string;
}) {
  return (
    <ol className={css.opinions} aria-label={t("decide.said")}>
      {said.map((one) => (
        <li key={`${one.by} ${one.at}`}>
          <strong>{one.name || one.by}</strong>: {decision(one.decision)}
          {one.reason && ` (${reason(one.reason)})`}
          {one.note && (
            <>
              {" "}
              <q>{one.note}</q>
            </>
          )}{" "}
          <Time iso={one.at} />
        </li>
      ))}
    </ol>
  );
}
