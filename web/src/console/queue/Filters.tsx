import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Me, Mode } from "../../api/wire.ts";
import { countryOf } from "../parts/country.ts";
import { FilterChip, FilterChips, FilterToggle, type Option } from "../parts/FilterChip.tsx";
import { reasonOptions } from "../parts/reasons.ts";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { isNarrowed, type Narrowing, narrowing } from "./filter.ts";
import { reviewQueries } from "./queries.ts";

/** What the queue is narrowed by. Reviewers other than oneself are offered to those who may give cases to them. */
export function Filters({
  mode,
  me,
  search,
  onChange,
}: {
  mode: Mode;
  me: Me;
  search: Narrowing;
  onChange: (to: Narrowing) => void;
}) {
  const decides = me.may.includes("cases.decide");
  const { data: facets } = useQuery(reviewQueries.facets(mode));
  const { data: catalogue } = useQuery(queries.catalogue);
  const { data: giving } = useQuery({ ...reviewQueries.assignment(mode), enabled: decides });
  const now = narrowing({ ...search });
  const set = (name: keyof Narrowing, value: string | true | null) => {
    const { [name]: _, ...rest } = now;
    onChange(value ? narrowing({ ...rest, [name]: value }) : rest);
  };
  const others = (giving?.reviewers ?? []).filter(({ id }) => id !== me.id);
  const assignees: Option[] = [
    { value: "nobody", label: t("queue.unassigned") },
    ...(decides ? [{ value: me.id, label: t("queue.me") }] : []),
    ...others.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <FilterChips legend={t("queue.filters")}>
      <FilterToggle on={now.overdue === true} onChange={(on) => set("overdue", on || null)}>
        {t("queue.overdue")}
      </FilterToggle>
      <FilterChip
        label={t("queue.workflow")}
        data={(facets?.workflows ?? []).map((value) => ({ value, label: value }))}
        value={now.workflow}
        onChange={(value) => set("workflow", value)}
      />
      <FilterChip
        label={t("queue.reason")}
        data={reasonOptions(catalogue)}
        value={now.reason}
        onChange={(value) => set("reason", value)}
      />
      <FilterChip
        label={t("queue.country")}
        data={(facets?.countries ?? []).map(({ code }) => ({ value: code, label: countryOf(code) }))}
        value={now.country}
        onChange={(value) => set("country", value)}
      />
      <FilterChip
        label={t("queue.assignee")}
        data={assignees}
        value={now.assignee}
        onChange={(value) => set("assignee", value)}
      />
      {isNarrowed(now) && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange({})}>
          {t("queue.clear")}
        </Button>
      )}
    </FilterChips>
  );
}
