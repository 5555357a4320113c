import type { Fact, SessionFile } from "../../api/wire.ts";
import { countryOf } from "../parts/country.ts";
import { Panel } from "../parts/Panel.tsx";
import { State } from "../parts/State.tsx";
import { absolute, labelOf, t } from "../words.ts";
import css from "./Verified.module.css";

const named = (sources: Fact["sources"]): string => sources.map((source) => labelOf("source", source)).join(", ");

/** Who it is: each fact once, as integrators get it. Before an approval it is what they would get. */
export function Verified({ file }: { file: SessionFile }) {
  const { verified } = file;
  if (!verified) return null;
  const { document } = verified;
  const facts: [string, Fact | null][] = [
    ["family_name", verified.family_name],
    ["given_names", verified.given_names],
    ["date_of_birth", verified.date_of_birth],
    ["sex", verified.sex],
    ["nationality", verified.nationality],
    ["address", verified.address],
    ["document_kind", document.kind],
    ["document_number", document.number],
    ["issuer", document.issuer],
    ["date_of_issue", document.date_of_issue],
    ["date_of_expiry", document.date_of_expiry],
  ];
  const known = facts.flatMap(([name, fact]) => (fact ? [{ name, fact }] : []));
  if (known.length === 0) return null;
  const approved = file.decisions[0]?.outcome === "approved";
  return (
    <Panel title={t(approved ? "verified.title" : "verified.before")} note={t("verified.note")}>
      <div className={css.box}>
        <dl className={css.facts}>
          {known.map(({ name, fact }) => (
            <div key={name} className={css.fact}>
              <dt>{labelOf("fact", name)}</dt>
              <dd>
                <Value name={name} fact={fact} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}

/** A value as people read it: kinds and states by their names, the state's code beside it. */
function readable(name: string, value: string): string {
  if (name === "document_kind") return labelOf("kind", value);
  return name === "nationality" || name === "issuer" ? countryOf(value) : value;
}

function Value({ name, fact }: { name: string; fact: Fact }) {
  if (fact.value === null)
    return <State shape="unsure">{t("verified.contradicted", { sources: named(fact.disagree) })}</State>;
  const by = fact.correction ? t("verified.corrected", { at: absolute(fact.correction.at) }) : named(fact.sources);
  return (
    <>
      <strong className={css.value}>{readable(name, fact.value)}</strong>
      <span className={css.by}>
        {by}
        {fact.disagree.length > 0 && ` · ${t("verified.not_by", { sources: named(fact.disagree) })}`}
      </span>
    </>
  );
}
