import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Mode, SessionState } from "../../api/wire.ts";
import { countryOf } from "../parts/country.ts";
import { FilterChip, FilterChips, FilterToggle, type Option } from "../parts/FilterChip.tsx";
import { reasonOptions } from "../parts/reasons.ts";
import { State } from "../parts/State.tsx";
import { queries } from "../queries.ts";
import { decisionLooks, sessionLooks, sessionStates } from "../states.ts";
import { labelOf, t } from "../words.ts";
import { documentKinds, outcomes } from "./choices.ts";
import css from "./Filters.module.css";
import { isNarrowed, type Narrowing, narrowing, type SessionsSearch } from "./filter.ts";
import { listQueries } from "./queries.ts";

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
      <FilterChips legend={t("sessions.filter")}>
        {sessionStates.map((state) => (
          <FilterToggle key={state} on={now.state === state} onChange={(on) => set("state", on ? state : null)}>
            <State shape={sessionLooks[state].shape}>{t(sessionLooks[state].word)}</State>
            <span className={css.count}>{counts[state] ?? 0}</span>
          </FilterToggle>
        ))}
      </FilterChips>
      <FilterChips legend={t("filter.more")}>
        {chips.map(({ name, data }) => (
          <FilterChip
            key={name}
            label={t(`filter.${name}`)}
            data={data}
            value={now[name]}
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
      </FilterChips>
    </div>
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
