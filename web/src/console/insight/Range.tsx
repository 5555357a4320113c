import { NativeSelect, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Analytics } from "../../api/wire.ts";
import { countryOf } from "../parts/country.ts";
import { t } from "../words.ts";
import css from "./Insight.module.css";
import { type FiguresSearch, spanOf, spans } from "./queries.ts";

/** Chooses which sessions are counted. The choice is in the address, so that it can be sent. */
export function Range({
  at,
  search,
  data,
}: {
  at: "/console" | "/console/analytics";
  search: FiguresSearch;
  data: Analytics | undefined;
}) {
  const navigate = useNavigate();
  const span = spanOf(search);
  const { days: _, from: __, to: ___, ...rest } = search;
  const go = (next: FiguresSearch) => void navigate({ to: at, search: next });
  const names = [
    ...new Set([search.workflow ?? "", ...(data?.workflows ?? []).map(({ key }) => key.replace(/ \d+$/, ""))]),
  ];
  const states = [...new Set([search.country ?? "", ...(data?.countries ?? []).map(({ key }) => key)])];
  return (
    <form className={css.range} aria-label={t("range.label")} onSubmit={(event) => event.preventDefault()}>
      <div className={css.spans}>
        {spans.map((n) => (
          <button
            key={n}
            type="button"
            className={css.span}
            aria-pressed={!search.from && !search.to && (search.days ?? 30) === n}
            onClick={() => go(n === 30 ? rest : { ...rest, days: n })}
          >
            {t("range.days", { n })}
          </button>
        ))}
      </div>
      <TextInput
        type="date"
        label={t("range.from")}
        value={span.from}
        max={span.to}
        onChange={(event) => event.currentTarget.value && go({ ...rest, from: event.currentTarget.value, to: span.to })}
      />
      <TextInput
        type="date"
        label={t("range.to")}
        value={span.to}
        min={span.from}
        onChange={(event) =>
          event.currentTarget.value && go({ ...rest, from: span.from, to: event.currentTarget.value })
        }
      />
      <NativeSelect
        label={t("range.workflow")}
        value={search.workflow ?? ""}
        onChange={(event) => {
          const { workflow: _, ...others } = search;
          go(event.currentTarget.value ? { ...others, workflow: event.currentTarget.value } : others);
        }}
        data={[
          { value: "", label: t("range.any_workflow") },
          ...names.filter(Boolean).map((name) => ({ value: name, label: name })),
        ]}
      />
      <NativeSelect
        label={t("range.country")}
        value={search.country ?? ""}
        onChange={(event) => {
          const { country: _, ...others } = search;
          go(event.currentTarget.value ? { ...others, country: event.currentTarget.value } : others);
        }}
        data={[
          { value: "", label: t("range.any_country") },
          ...states.filter(Boolean).map((code) => ({ value: code, label: countryOf(code) })),
        ]}
      />
    </form>
  );
}
