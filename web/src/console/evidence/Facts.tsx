import { Fragment, useRef, useState } from "react";
import type { Claim, ClaimSource, SessionFile } from "../../api/wire.ts";
import { StateShape } from "../../ui/shapes.tsx";
import { countryName } from "../parts/country.ts";
import { Panel } from "../parts/Panel.tsx";
import { State } from "../parts/State.tsx";
import { labelOf, t } from "../words.ts";
import { Correct, type Correcting } from "./Correct.tsx";
import css from "./Facts.module.css";
import {
  correctedOf,
  dates,
  type FactRow,
  factRows,
  mrzOf,
  order,
  type Place,
  readerOf,
  readOf,
  sources,
} from "./file.ts";

type Props = {
  file: SessionFile;
  place: Place | null;
  onPlace: (place: Place | null) => void;
  /** Where facts can be corrected: on the page of a case. */
  correcting?: Correcting | undefined;
};

/** The fact that was not read and is added. */
const added = "";

/** One row a fact, one column a source, on a phone one line a source. A value that has a place on a picture shows it there. */
export function Facts({ file, place, onPlace, correcting }: Props) {
  const [open, setOpen] = useState<string | null>(null);
  const [done, setDone] = useState("");
  const table = useRef<HTMLDivElement>(null);
  const rows = factRows(file);
  const corrected = correctedOf(file);
  const reader = readerOf(file);
  const may = correcting?.blocked === null ? correcting : undefined;
  if (rows.length === 0 && !may) return null;
  const shown = sources.filter(
    (source) => source === "printed" || source === "mrz" || rows.some((row) => row.cells[source]),
  );
  const wide = shown.length + (may ? 2 : 1);
  const unread = order.filter((name) => !rows.some((row) => row.name === name));

  // Whoever closes a form by the keyboard goes on where they opened it.
  const close = (from: string, name: string | null) => {
    setOpen(null);
    setDone(name ? t("correct.done", { fact: labelOf("fact", name) }) : "");
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`[data-corrects="${from}"]`)?.focus());
  };
  const form = (from: string, names: readonly string[], value: string) =>
    may && <Correct names={names} value={value} onSend={may.send} onClose={(name) => close(from, name)} />;
  return (
    <Panel title={t("facts.title")}>
      <div ref={table} className={css.box}>
        <table className={css.table} data-sources={shown.length}>
          <caption className="visually-hidden">{t("facts.title")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("facts.fact")}</th>
              {shown.map((source) => (
                <th key={source} scope="col">
                  {labelOf("facts", source)}
                </th>
              ))}
              {may && (
                <th scope="col">
                  <span className="visually-hidden">{t("facts.correct")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const value = corrected.get(row.name);
              return (
                <Fragment key={row.name}>
                  <tr>
                    <th scope="row">{labelOf("fact", row.name)}</th>
                    {shown.map((source) => (
                      <Cell key={source} row={row} source={source} place={place} onPlace={onPlace} />
                    ))}
                    {may && (
                      <td className={css.act} data-label={t("facts.correct")}>
                        <button
                          type="button"
                          className={css.correct}
                          data-corrects={row.name}
                          aria-expanded={open === row.name}
                          aria-label={t("facts.correct_one", { fact: labelOf("fact", row.name) })}
                          title={t("facts.correct_one", { fact: labelOf("fact", row.name) })}
                          onClick={() => setOpen(open === row.name ? null : row.name)}
                        >
                          <span aria-hidden="true">✎</span>
                        </button>
                      </td>
                    )}
                  </tr>
                  {value && (
                    <tr className={css.below}>
                      <td colSpan={wide}>
                        <span className={css.correction}>
                          {t("facts.corrected")} <strong className={css.value}>{value}</strong>
                        </span>
                      </td>
                    </tr>
                  )}
                  {open === row.name && (
                    <tr className={css.below}>
                      <td colSpan={wide}>{form(row.name, [row.name], value ?? readOf(row))}</td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
        {may && unread.length > 0 && (
          <div className={css.add}>
            {open === added ? (
              form(added, unread, "")
            ) : (
              <button type="button" className={css.correct} data-corrects={added} onClick={() => setOpen(added)}>
                {t("facts.add")}
              </button>
            )}
          </div>
        )}
        <p className="visually-hidden" role="status">
          {done}
        </p>
      </div>
      <Mrz file={file} />
      {reader && <p className={css.reader}>{t("session.reader", { version: reader })}</p>}
    </Panel>
  );
}

/** The facts that are codes of states: each is shown with its name. */
const isState = (name: string): boolean => name === "nationality" || name === "issuer";

type CellProps = { row: FactRow; source: ClaimSource; place: Place | null; onPlace: (place: Place | null) => void };

function Cell({ row, source, place, onPlace }: CellProps) {
  const claim = row.cells[source];
  if (!claim) {
    return (
      <td className={css.absent} data-label={labelOf("facts", source)}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t("facts.absent")}</span>
      </td>
    );
  }
  const wrong = row.disagree.has(source);
  return (
    <td className={wrong ? css.wrong : undefined} data-label={labelOf("facts", source)}>
      <Value claim={claim} name={row.name} place={place} onPlace={onPlace} />
      {isState(row.name) && countryName(claim.value) !== claim.value && (
        <span className={css.named}> {countryName(claim.value)}</span>
      )}
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
  const whole = dates.includes(name) ? css.whole : "";
  if (!box || !capture) return <span className={`${css.value} ${whole}`}>{claim.value}</span>;
  const key = `${name}.${claim.source}`;
  const on = place?.key === key;
  return (
    <button
      type="button"
      className={`${css.find} ${whole}`}
      aria-pressed={on}
      title={`${t("facts.show", { fact: labelOf("fact", name), source: labelOf("facts", claim.source) })} · ${t("facts.confidence", { percent: Math.round(claim.confidence * 100) })}`}
      onClick={() => onPlace(on ? null : { capture, box, key })}
    >
      {claim.value}
    </button>
  );
}

/** The fields of a zone in words, each once. */
const namesOf = (fields: readonly string[]): string =>
  [...new Set(fields.map((field) => labelOf("zonefield", field)))].join(", ");

function Mrz({ file }: { file: SessionFile }) {
  const mrz = mrzOf(file);
  if (!mrz || mrz.lines.length === 0) return null;
  const doubts = mrz.doubts ?? []; // a report of an older reader says none
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
      {doubts.length > 0 && (
        <div className={css.doubts}>
          <h4>{t("mrz.doubts")}</h4>
          <ul>
            {doubts.map((doubt) => (
              <li key={doubt.source}>
                {labelOf("doubt", doubt.source)}
                {doubt.fields?.length ? `: ${namesOf(doubt.fields)}` : ""}
                <code>{doubt.code}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
