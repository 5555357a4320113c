import type { Claim, ClaimSource, SessionFile } from "../../api/wire.ts";
import { StateShape } from "../../ui/shapes.tsx";
import { State } from "../parts/State.tsx";
import { labelOf, t } from "../words.ts";
import css from "./Facts.module.css";
import { type FactRow, factRows, mrzOf, type Place, sources } from "./file.ts";
import { Panel } from "./Panel.tsx";

type Props = { file: SessionFile; place: Place | null; onPlace: (place: Place | null) => void };

/** One row a fact, one column a source, on a phone one line a source. A value that has a place on a picture shows it there. */
export function Facts({ file, place, onPlace }: Props) {
  const rows = factRows(file);
  if (rows.length === 0) return null;
  const shown = sources.filter(
    (source) => source === "printed" || source === "mrz" || rows.some((row) => row.cells[source]),
  );
  return (
    <Panel title={t("facts.title")}>
      <table className={css.table}>
        <caption className="visually-hidden">{t("facts.title")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("facts.fact")}</th>
            {shown.map((source) => (
              <th key={source} scope="col">
                {t(`facts.${source}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{labelOf("fact", row.name)}</th>
              {shown.map((source) => (
                <Cell key={source} row={row} source={source} place={place} onPlace={onPlace} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Mrz file={file} />
    </Panel>
  );
}

type CellProps = { row: FactRow; source: ClaimSource; place: Place | null; onPlace: (place: Place | null) => void };

function Cell({ row, source, place, onPlace }: CellProps) {
  const claim = row.cells[source];
  if (!claim) {
    return (
      <td className={css.absent} data-label={t(`facts.${source}`)}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t("facts.absent")}</span>
      </td>
    );
  }
  const wrong = row.disagree.has(source);
  return (
    <td className={wrong ? css.wrong : undefined} data-label={t(`facts.${source}`)}>
      <Value claim={claim} name={row.name} place={place} onPlace={onPlace} />
      {wrong && (
        <span className={css.disagrees}>
          <StateShape shape="fail" size={9} />
          {t("facts.disagrees")}
        </span>
      )}
    </td>
  );
}

function Value({
  claim,
  name,
  place,
  onPlace,
}: {
  claim: Claim;
  name: string;
  place: Place | null;
  onPlace: (place: Place | null) => void;
}) {
  const { box, capture } = claim;
  if (!box || !capture) return <span className={css.value}>{claim.value}</span>;
  const key = `${name}.${claim.source}`;
  const on = place?.key === key;
  return (
    <button
      type="button"
      className={css.find}
      aria-pressed={on}
      title={`${t("facts.show", { fact: labelOf("fact", name), source: t(`facts.${claim.source}`) })} · ${t("facts.confidence", { percent: Math.round(claim.confidence * 100) })}`}
      onClick={() => onPlace(on ? null : { capture, box, key })}
    >
      {claim.value}
    </button>
  );
}

function Mrz({ file }: { file: SessionFile }) {
  const mrz = mrzOf(file);
  if (!mrz || mrz.lines.length === 0) return null;
  return (
    <div className={css.mrz}>
      <div className={css.mrzHead}>
        <h3 className={css.mrzTitle}>
          {t("mrz.title")} {mrz.format}
        </h3>
        <State shape={mrz.verified ? "pass" : "unsure"}>{t(mrz.verified ? "mrz.verified" : "mrz.not_verified")}</State>
      </div>
      <div className={css.lines}>
        {mrz.lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may read the same
          <p key={i}>{line}</p>
        ))}
      </div>
      <dl className={css.answers}>
        <div>
          <dt>{t("mrz.digits")}</dt>
          <dd>{t(mrz.check_digits_ok ? "mrz.digits_ok" : "mrz.digits_wrong")}</dd>
        </div>
        <div>
          <dt>{t("mrz.readers")}</dt>
          <dd>{t(mrz.readers_agree ? "mrz.yes" : "mrz.no")}</dd>
        </div>
        <div>
          <dt>{t("mrz.printed")}</dt>
          <dd>{labelOf("mrz", mrz.printed_zone)}</dd>
        </div>
      </dl>
    </div>
  );
}
