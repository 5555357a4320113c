import { Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProblemRow } from "../../api/wire.ts";
import { queries } from "../queries.ts";
import { labelOf, t } from "../words.ts";
import css from "./Dialogs.module.css";

/** What a person can give as a reason: rows that a check can find and that have words for reviewers. */
const givable = (row: ProblemRow) => row.severity !== "" && row.reviewer !== "";

const gravest: readonly string[] = ["fraud", "final", "suspect", "refer", "retry"];

const matches = (row: ProblemRow, wanted: string) =>
  wanted.split(/\s+/).every((word) => `${row.title} ${row.reviewer} ${row.code}`.toLowerCase().includes(word));

/** The catalogue's reasons with a search; those for which the session was referred come first. */
export function Reasons({
  referred,
  chosen,
  onChosen,
}: {
  referred: readonly string[];
  chosen: readonly string[];
  onChosen: (codes: string[]) => void;
}) {
  const { data: catalogue } = useQuery(queries.catalogue);
  const [text, setText] = useState("");
  const rows = [...(catalogue?.values() ?? [])].filter(givable);
  // What was chosen stays in sight; then why the session was referred; then the gravest.
  const rank = ({ code, severity }: ProblemRow) =>
    chosen.includes(code) ? 0 : referred.includes(code) ? 1 : 2 + gravest.indexOf(severity);
  const found = rows
    .filter((row) => matches(row, text.trim().toLowerCase()))
    .sort((a, b) => rank(a) - rank(b) || a.code.localeCompare(b.code));
  const toggle = (code: string) =>
    onChosen(chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code].slice(0, 10));
  return (
    <fieldset className={css.reasons}>
      <legend>{t("decline.reasons")}</legend>
      <TextInput
        data-autofocus
        type="search"
        aria-label={t("decline.search")}
        placeholder={t("decline.search")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !text || !found[0]) return;
          event.preventDefault();
          toggle(found[0].code);
          setText("");
        }}
      />
      <ul className={css.list}>
        {found.map((row) => (
          <li key={row.code}>
            <Checkbox
              checked={chosen.includes(row.code)}
              onChange={() => toggle(row.code)}
              label={row.title}
              description={`${labelOf("severity", row.severity)} · ${row.code}${referred.includes(row.code) ? ` · ${t("decline.referred")}` : ""}`}
            />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={css.quiet}>{t("decline.none")}</p>}
      <p className={css.quiet} role="status">
        {t("decline.chosen", { n: chosen.length })}
      </p>
    </fieldset>
  );
}
