import { Button, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Mode, SessionState } from "../../api/wire.ts";
import { countryOf } from "../parts/country.ts";
import { reasonOptions } from "../parts/reasons.ts";
import { State } from "../parts/State.tsx";
import { queries } from "../queries.ts";
import { decisionLooks, sessionLooks, sessionStates } from "../states.ts";
import { labelOf, t } from "../words.ts";
import { documentKinds, outcomes } from "./choices.ts";
import css from "./Filters.module.css";
import { isNarrowed, type Narrowing, narrowing, type SessionsSearch } from "./filter.ts";
import { listQueries } from "./queries.ts";

type Option = { value: string; label: string };

/** What the list is narrowed by, as chips: the states with their numbers, then the rest. */
export function Filters({
  mode,
  search,
  counts,
  onChange,
}: {
  mode: Mode;
  search: SessionsSearch;
  counts: Readonly<Partial<Record<SessionState, number>>>;
  onChange: (to: Narrowing) => void;
}) {
  const { data: facets } = useQuery(listQueries.facets(mode));
  const { data: catalogue } = useQuery(queries.catalogue);
  const now = narrowing(search);
  const set = (name: keyof Narrowing, value: string | null) => {
    const { [name]: _, ...rest } = now;
    onChange(value ? narrowing({ ...rest, [name]: value }) : rest);
  };
  const chips: {
    name: keyof Narrowing & `${"outcome" | "reason" | "workflow" | "country" | "kind"}`;
    data: Option[];
  }[] = [
    { name: "outcome", data: outcomes.map((value) => ({ value, label: t(decisionLooks[value].word) })) },
    { name: "reason", data: reasonOptions(catalogue) },
    { name: "workflow", data: (facets?.workflows ?? []).map((value) => ({ value, label: value })) },
    {
      name: "country",
      data: (facets?.countries ?? []).map(({ code }) => ({ value: code, label: countryOf(code) })),
    },
    { name: "kind", data: documentKinds.map((value) => ({ value, label: labelOf("kind", value) })) },
  ];
  return (
    <div className={css.filters}>
      <fieldset className={css.chips}>
        <legend className="visually-hidden">{t("sessions.filter")}</legend>
        {sessionStates.map((state) => (
          <button
            key={state}
            type="button"
            className={css.chip}
            aria-pressed={now.state === state}
            onClick={() => set("state", now.state === state ? null : state)}
          >
            <State shape={sessionLooks[state].shape}>{t(sessionLooks[state].word)}</State>
            <span className={css.count}>{counts[state] ?? 0}</span>
          </button>
        ))}
      </fieldset>
      <fieldset className={css.chips}>
        <legend className="visually-hidden">{t("filter.more")}</legend>
        {chips.map(({ name, data }) => (
          <Chip
            key={name}
            label={t(`filter.${name}`)}
            data={withChosen(data, now[name])}
            value={now[name] ?? null}
            onChange={(value) => set(name, value)}
          />
        ))}
        <Day label={t("filter.from")} value={now.from ?? ""} onChange={(value) => set("from", value)} />
        <Day label={t("filter.to")} value={now.to ?? ""} onChange={(value) => set("to", value)} />
        {isNarrowed(search) && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChange({})}>
            {t("sessions.clear")}
          </Button>
        )}
      </fieldset>
    </div>
  );
}

/** What an address asks for can be seen, and let go of, also where nothing of it is there any more. */
const withChosen = (data: Option[], chosen: string | undefined): Option[] =>
  !chosen || data.some(({ value }) => value === chosen) ? data : [...data, { value: chosen, label: chosen }];

function Chip({
  label,
  data,
  value,
  onChange,
}: {
  label: string;
  data: Option[];
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={data}
      value={value}
      onChange={onChange}
      searchable
      clearable
      size="xs"
      radius="xl"
      nothingFoundMessage={t("filter.nothing")}
      comboboxProps={{ width: 280, position: "bottom-start" }}
      clearButtonProps={{ "aria-label": t("filter.drop", { name: label }) }}
      className={(value === null ? css.select : css.set) ?? ""}
      {...(value === null ? { style: { inlineSize: `calc(${label.length}ch + 2.75rem)` } } : {})}
      classNames={{ input: css.input ?? "" }}
    />
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <div className={css.day} data-set={value !== ""}>
      <span aria-hidden>{label}</span>
      <TextInput
        type="date"
        size="xs"
        variant="unstyled"
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
