import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { labelOf, t } from "../words.ts";
import css from "./Audit.module.css";
import { type AuditSearch, auditSearch } from "./queries.ts";

const kinds = ["user", "api_key", "applicant", "system"] as const;
const isKind = (value: string | undefined) => kinds.some((kind) => kind === value);

type Fields = { kind: string; by: string; action: string; about: string; from: string; to: string };

/** The filters of the log. The button or Enter applies them, and the address then has them. */
export function Filters({
  search,
  actions,
  onSearch,
}: {
  search: AuditSearch;
  actions: readonly string[];
  onSearch: (search: AuditSearch) => void;
}) {
  const { actor = "", action = "", about = "", from = "", to = "" } = search;
  const form = useForm<Fields>({
    initialValues: { kind: isKind(actor) ? actor : "", by: isKind(actor) ? "" : actor, action, about, from, to },
  });
  const known = action && !actions.includes(action) ? [action, ...actions] : actions;
  const submit = ({ kind, by, ...rest }: Fields) => onSearch(auditSearch({ ...rest, actor: by.trim() || kind }));
  return (
    <form className={css.filters} onSubmit={form.onSubmit(submit)} aria-label={t("audit.filters")}>
      <NativeSelect
        label={t("audit.filter.action")}
        data={[
          { value: "", label: t("audit.filter.any") },
          ...known.map((value) => ({ value, label: labelOf("audit.action", value) })),
        ]}
        {...form.getInputProps("action")}
      />
      <NativeSelect
        label={t("audit.filter.kind")}
        data={[
          { value: "", label: t("audit.filter.anybody") },
          ...kinds.map((value) => ({ value, label: t(`audit.kind.${value}`) })),
        ]}
        {...form.getInputProps("kind")}
      />
      <TextInput label={t("audit.filter.by")} placeholder="usr_…" {...form.getInputProps("by")} />
      <TextInput label={t("audit.filter.about")} placeholder="ses_…" {...form.getInputProps("about")} />
      <TextInput type="date" label={t("audit.filter.from")} {...form.getInputProps("from")} />
      <TextInput type="date" label={t("audit.filter.to")} {...form.getInputProps("to")} />
      <div className={css.filterActs}>
        <Button type="submit">{t("audit.filter.apply")}</Button>
        {Object.keys(search).length > 0 && (
          <Button variant="default" onClick={() => onSearch({})}>
            {t("audit.filter.clear")}
          </Button>
        )}
      </div>
    </form>
  );
}
