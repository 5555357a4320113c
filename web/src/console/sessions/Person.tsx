import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Mode } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Pager } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { t } from "../words.ts";
import { List } from "./List.tsx";
import css from "./Person.module.css";
import { calls, type Sought } from "./queries.ts";

/** Asks for the name or the document number of a person. */
export function Person({ onSeek, onClose }: { onSeek: (whom: Sought) => void; onClose: () => void }) {
  const form = useForm({
    initialValues: { name: "", document_number: "" },
    validate: {
      name: (name, { document_number }) => (name.trim() || document_number.trim() ? null : t("person.nothing")),
    },
  });
  return (
    <Sheet onClose={onClose} title={t("person.title")}>
      <form
        className={css.form}
        autoComplete="off"
        onSubmit={form.onSubmit(({ name, document_number }) =>
          onSeek({ name: name.trim(), document_number: document_number.trim() }),
        )}
      >
        <p className={css.soft}>{t("person.text")}</p>
        <TextInput
          data-autofocus
          label={t("person.name")}
          description={t("person.name_hint")}
          maxLength={300}
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        <TextInput
          label={t("person.number")}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("document_number")}
        />
        <Button type="submit">{t("person.submit")}</Button>
      </form>
    </Sheet>
  );
}

/** The sessions of the person that was searched for. They are gone with the page, and no address has anything of them. */
export function Found({ mode, sought, onClose }: { mode: Mode; sought: Sought; onClose: () => void }) {
  const [after, setAfter] = useState("");
  const { data, error } = useQuery({
    queryKey: ["found", mode, sought, after],
    queryFn: () => calls.search(mode, sought, after),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const what = [sought.name, sought.document_number].filter(Boolean).join(" · ");
  return (
    <>
      <p className={css.said} role="status">
        <span>{t("person.found", { what })}</span>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t("person.back")}
        </Button>
      </p>
      <ErrorMessage error={error} />
      {data && data.items.length > 0 && <List caption={t("person.table")} items={data.items} />}
      {data?.items.length === 0 && <Empty title={t("person.none")} text={t("person.none_text")} />}
      <Pager first={after ? () => setAfter("") : null} next={data?.next ? () => setAfter(data.next) : null} />
    </>
  );
}
