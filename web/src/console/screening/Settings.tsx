import { Button, Checkbox, NumberInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ScreeningTopic, Watchlist, WatchlistSettings } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { t } from "../words.ts";
import css from "./Lists.module.css";
import { calls } from "./queries.ts";

export const topics = ["sanctions", "pep", "watch"] as const satisfies readonly ScreeningTopic[];

const fresh: WatchlistSettings = {
  title: "",
  topics: ["sanctions"],
  licence: "",
  source: "",
  every_hours: 24,
  max_age_hours: 168,
};

const whole = (value: string | number): number => (typeof value === "number" ? Math.round(value) : Number(value) || 0);

/** The form of a new list, or of the settings of one that is there. */
export function ListForm({
  list,
  onClose,
  onDone,
}: {
  list: Watchlist | null;
  onClose: () => void;
  onDone: (text: string) => void;
}) {
  const [name, setName] = useState("");
  const [form, setForm] = useState<WatchlistSettings>(list ? settingsOf(list) : fresh);
  const set = (part: Partial<WatchlistSettings>) => setForm({ ...form, ...part });
  const send = useMutation({
    mutationFn: () => (list ? calls.change(list.id, form) : calls.create({ name, ...form })),
    onSuccess: ({ title }) => onDone(t(list ? "lists.changed" : "lists.added", { title })),
  });
  return (
    <Sheet title={t(list ? "lists.settings_of" : "lists.add", { title: list?.title ?? "" })} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        {!list && (
          <TextInput
            label={t("lists.name")}
            description={t("lists.name_hint")}
            required
            pattern="[a-z0-9][a-z0-9-]*"
            maxLength={41}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={t("lists.form.title")}
          maxLength={200}
          value={form.title ?? ""}
          onChange={(event) => set({ title: event.currentTarget.value })}
        />
        <Checkbox.Group
          label={t("lists.form.topics")}
          description={t("lists.form.topics_hint")}
          value={form.topics}
          onChange={(chosen) => set({ topics: topics.filter((one) => chosen.includes(one)) })}
        >
          <div className={css.choices}>
            {topics.map((one) => (
              <Checkbox key={one} value={one} label={t(`topic.${one}`)} />
            ))}
          </div>
        </Checkbox.Group>
        <TextInput
          type="url"
          label={t("lists.form.source")}
          description={t("lists.form.source_hint")}
          maxLength={2000}
          value={form.source ?? ""}
          onChange={(event) => set({ source: event.currentTarget.value })}
        />
        {form.source && (
          <NumberInput
            label={t("lists.form.every")}
            min={1}
            max={744}
            value={form.every_hours ?? 24}
            onChange={(value) => set({ every_hours: whole(value) })}
          />
        )}
        <NumberInput
          label={t("lists.form.max_age")}
          description={t("lists.form.max_age_hint")}
          min={0}
          max={8784}
          value={form.max_age_hours ?? 0}
          onChange={(value) => set({ max_age_hours: whole(value) })}
        />
        <TextInput
          label={t("lists.form.licence")}
          description={t("lists.form.licence_hint")}
          maxLength={500}
          value={form.licence ?? ""}
          onChange={(event) => set({ licence: event.currentTarget.value })}
        />
        <Checkbox
          label={t("lists.form.look_first")}
          checked={form.look_first ?? false}
          onChange={(event) => set({ look_first: event.currentTarget.checked })}
        />
        {list && (
          <Checkbox
            label={t("lists.form.disabled")}
            checked={form.disabled ?? false}
            onChange={(event) => set({ disabled: event.currentTarget.checked })}
          />
        )}
        <ErrorMessage error={send.error} />
        <div className={css.acts}>
          <Button type="submit" loading={send.isPending} disabled={form.topics.length === 0}>
            {t(list ? "lists.save" : "lists.add")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

const settingsOf = (list: Watchlist): WatchlistSettings => ({
  title: list.title ?? "",
  topics: list.topics,
  licence: list.licence ?? "",
  source: list.source ?? "",
  every_hours: list.every_hours || 24,
  max_age_hours: list.max_age_hours ?? 0,
  look_first: list.look_first ?? false,
  disabled: list.disabled ?? false,
});
