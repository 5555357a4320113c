import { Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useReasons } from "../parts/reasons.ts";
import { t } from "../words.ts";
import css from "./Dialogs.module.css";
import { caseQueries } from "./queries.ts";

/** The reasons that this deployment offers, favourites first, after those for which the session was referred; with a search. */
export function Reasons({
  referred,
  chosen,
  onChosen,
}: {
  referred: readonly string[];
  chosen: readonly string[];
  onChosen: (codes: string[]) => void;
}) {
  const { data } = useQuery(caseQueries.offered());
  const { name, reviewer } = useReasons();
  const [text, setText] = useState("");
  const favourites = data?.favourites ?? [];
  // A check that did not run refers; nobody is declined for it.
  const given = referred.filter((code) => data?.all.includes(code) && code !== "check.not_run");
  const rows = [...new Set([...given, ...(data?.reasons ?? [])])];
  const words = text.trim().toLowerCase().split(/\s+/);
  const found = rows.filter((code) =>
    words.every((word) => `${name(code)} ${reviewer(code)} ${code}`.toLowerCase().includes(word)),
  );
  const toggle = (code: string) =>
    onChosen(chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code].slice(0, 10));
  const marks = (code: string) => [
    ...(referred.includes(code) ? [t("decline.referred")] : []),
    ...(favourites.includes(code) ? [t("decline.favourite")] : []),
  ];
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
          toggle(found[0]);
          setText("");
        }}
      />
      <ul className={css.list} hidden={found.length === 0}>
        {found.map((code) => (
          <li key={code}>
            <Checkbox
              checked={chosen.includes(code)}
              onChange={() => toggle(code)}
              label={name(code)}
              description={[...marks(code), reviewer(code)].join(" · ")}
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
