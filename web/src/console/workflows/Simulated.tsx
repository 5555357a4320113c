import { Link } from "@tanstack/react-router";
import type { Simulation } from "../../api/wire.ts";
import { shortId } from "../parts/ids.ts";
import { Section } from "../parts/Page.tsx";
import { useReasons } from "../parts/reasons.ts";
import { Said } from "../parts/Said.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { ruleName } from "../said.ts";
import { decisionLooks } from "../states.ts";
import { numeral, t } from "../words.ts";
import css from "./Workflows.module.css";

type Outcome = keyof typeof decisionLooks;

const Verdict = ({ outcome }: { outcome: Outcome }) => (
  <State shape={decisionLooks[outcome].shape}>{t(decisionLooks[outcome].word)}</State>
);

/** How past decisions would have gone: from what to what, which ones and why, and what cannot be told. */
export function Simulated({ result }: { result: Simulation }) {
  const { name } = useReasons();
  const { totals, items } = result;
  if (!totals) return null;
  return (
    <Section title={t("simulated.title")}>
      <p role="status">
        {t("simulated.summary", { changed: totals.changed, same: totals.same, n: totals.decisions })}
        {totals.truncated && ` ${t("simulated.truncated")}`}
      </p>
      {totals.matrix.length > 0 && (
        <Table caption={t("simulated.matrix")} columns={[t("simulated.from"), t("simulated.to"), t("simulated.count")]}>
          {totals.matrix.map((one) => (
            <tr key={`${one.from} ${one.to}`} className={cell.row}>
              <th scope="row" data-label={t("simulated.from")}>
                <Verdict outcome={one.from} />
              </th>
              <td data-label={t("simulated.to")}>
                <Verdict outcome={one.to} />
              </td>
              <td className={cell.plain} data-label={t("simulated.count")}>
                {numeral(one.count)}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {totals.not_simulated > 0 && (
        <>
          <p>{t("simulated.not", { n: totals.not_simulated })}</p>
          <ul className={css.plainList}>
            {totals.why_not.map((one) => (
              <li key={one.why}>
                {totals.why_not.length > 1 && `${numeral(one.count)}: `}
                <Said text={one.message} />
              </li>
            ))}
          </ul>
        </>
      )}
      {items.length > 0 && (
        <Table
          caption={t("simulated.changed")}
          columns={[
            t("simulated.session"),
            t("simulated.from"),
            t("simulated.to"),
            t("simulated.why"),
            t("simulated.at"),
          ]}
        >
          {items.map((one) => (
            <tr key={one.decision} className={cell.row}>
              <th scope="row" className={cell.plain}>
                {one.session && !one.erased ? (
                  <Link to="/console/sessions/$id" params={{ id: one.session }} className={cell.code}>
                    {shortId(one.session)}
                  </Link>
                ) : (
                  <span className={cell.code}>{t(one.erased ? "simulated.erased" : "simulated.hidden")}</span>
                )}
              </th>
              <td data-label={t("simulated.from")}>
                <Verdict outcome={one.from} />
              </td>
              <td data-label={t("simulated.to")}>
                <Verdict outcome={one.to} />
              </td>
              <td className={cell.wide}>
                {ruleName(one.to_rule)}
                {one.reasons.length > 0 && `: ${one.reasons.map(name).join(" · ")}`}
              </td>
              <td className={cell.quiet}>
                <Time iso={one.at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {result.next && <p className={css.soft}>{t("simulated.first")}</p>}
    </Section>
  );
}
