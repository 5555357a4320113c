import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Mode } from "../../api/wire.ts";
import { languages } from "../../i18n/languages.ts";
import { t } from "../words.ts";
import css from "./NewSession.module.css";
import type { Asked } from "./people.ts";
import { listQueries } from "./queries.ts";

/** The choice of workflow and language, for one session or for those of a list that name none. */
export function Choices({
  mode,
  value,
  onChange,
}: {
  mode: Mode;
  value: Pick<Asked, "workflow" | "locale">;
  onChange: (to: Pick<Asked, "workflow" | "locale">) => void;
}) {
  const { data } = useQuery(listQueries.facets(mode));
  const workflows = (data?.workflows ?? []).filter((name) => name !== "default");
  return (
    <div className={css.pair}>
      <NativeSelect
        label={t("new.workflow")}
        value={value.workflow}
        onChange={(event) => onChange({ ...value, workflow: event.currentTarget.value })}
        data={[{ value: "", label: t("new.workflow_default") }, ...workflows]}
      />
      <NativeSelect
        label={t("new.language")}
        value={value.locale}
        onChange={(event) => onChange({ ...value, locale: event.currentTarget.value })}
        data={[
          { value: "", label: t("new.language_browser") },
          ...Object.entries(languages).map(([code, { name }]) => ({ value: code, label: name })),
        ]}
      />
    </div>
  );
}
