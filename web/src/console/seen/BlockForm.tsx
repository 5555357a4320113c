import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { BlockKind, DocumentKind, Mode, NewBlockEntry } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { labelOf, t } from "../words.ts";
import { seenCalls } from "./queries.ts";
import css from "./Seen.module.css";

const kinds = ["document", "person", "contact", "address", "face"] as const satisfies readonly BlockKind[];
const reasons = ["forged", "stolen", "impersonation", "chargeback", "abuse", "other"] as const;
const documents = [
  "passport",
  "id_card",
  "residence_permit",
  "driving_licence",
  "visa",
] as const satisfies readonly DocumentKind[];

const inAYear = (): string => new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);

/** The form that puts something of a session, or what is stated, on the block list. */
export function BlockForm({
  mode,
  session,
  onClose,
  onDone,
}: {
  mode: Mode;
  session?: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const [form, setForm] = useState<NewBlockEntry>({
    mode,
    kind: "document",
    reason: "forged",
    valid_until: inAYear(),
    ...(session ? { session } : {}),
  });
  const set = (part: Partial<NewBlockEntry>) => setForm({ ...form, ...part });
  const send = useMutation({ mutationFn: () => seenCalls.block(form), onSuccess: onDone });
  const apart = session ? "address" : "face"; // a range is of no session, and a face is of one
  const offered = kinds.filter((kind) => kind !== apart);
  return (
    <Sheet title={t(session ? "block.add_session" : "block.add")} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <NativeSelect
          label={t("block.form.kind")}
          data={offered.map((value) => ({ value, label: t(`block.kind.${value}`) }))}
          value={form.kind}
          onChange={(event) => {
            const kind = kinds.find((one) => one === event.currentTarget.value) ?? "document";
            set({ kind, declines: false });
          }}
        />
        {!session && <Stated form={form} set={set} />}
        {form.kind === "document" && (
          <Checkbox
            label={t("block.form.declines")}
            description={t("block.form.declines_hint")}
            checked={form.declines ?? false}
            onChange={(event) => set({ declines: event.currentTarget.checked })}
          />
        )}
        <NativeSelect
          label={t("block.form.reason")}
          data={reasons.map((value) => ({ value, label: t(`block.reason.${value}`) }))}
          value={form.reason}
          onChange={(event) => set({ reason: reasons.find((one) => one === event.currentTarget.value) ?? "other" })}
        />
        <TextInput
          type="date"
          required
          label={t("block.form.until")}
          description={t("block.form.until_hint")}
          value={form.valid_until}
          onChange={(event) => set({ valid_until: event.currentTarget.value })}
        />
        <p className={css.soft}>{t(form.kind === "face" ? "block.form.face" : "block.form.kept")}</p>
        <ErrorMessage error={send.error} />
        <div className={css.acts}>
          <Button type="submit" loading={send.isPending}>
            {t("block.add")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

/** What an entry is about where it is not taken from a session. */
function Stated({ form, set }: { form: NewBlockEntry; set: (part: Partial<NewBlockEntry>) => void }) {
  switch (form.kind) {
    case "document":
      return (
        <div className={css.fields}>
          <TextInput
            label={t("block.form.number")}
            required
            maxLength={40}
            value={form.document_number ?? ""}
            onChange={(event) => set({ document_number: event.currentTarget.value })}
          />
          <TextInput
            label={t("block.form.issuer")}
            required
            maxLength={3}
            value={form.issuer ?? ""}
            onChange={(event) => set({ issuer: event.currentTarget.value.toUpperCase() })}
          />
          <NativeSelect
            label={t("block.form.document")}
            data={[{ value: "", label: "" }, ...documents.map((value) => ({ value, label: labelOf("kind", value) }))]}
            required
            value={form.document_kind ?? ""}
            onChange={(event) => {
              const chosen = documents.find((one) => one === event.currentTarget.value);
              if (chosen) set({ document_kind: chosen });
            }}
          />
        </div>
      );
    case "person":
      return (
        <div className={css.fields}>
          <TextInput
            label={t("block.form.name")}
            required
            maxLength={300}
            value={form.name ?? ""}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t("block.form.birth")}
            required
            value={form.birth_date ?? ""}
            onChange={(event) => set({ birth_date: event.currentTarget.value })}
          />
        </div>
      );
    case "contact":
      return (
        <TextInput
          type="email"
          label={t("block.form.email")}
          required
          maxLength={254}
          value={form.email ?? ""}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
      );
    default:
      return (
        <TextInput
          label={t("block.form.range")}
          description={t("block.form.range_hint")}
          placeholder="203.0.113.0/24"
          required
          maxLength={50}
          value={form.range ?? ""}
          onChange={(event) => set({ range: event.currentTarget.value })}
        />
      );
  }
}
