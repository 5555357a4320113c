import { Textarea } from "@mantine/core";
import { useState } from "react";
import type { WorkflowIssue, WorkflowSpec } from "../../api/wire.ts";
import { said } from "../said.ts";
import { t } from "../words.ts";

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The origins whose pages may show the person's pages, one a line. */
export function Embedding({
  spec,
  issues,
  onChange,
}: {
  spec: WorkflowSpec;
  issues: readonly WorkflowIssue[];
  onChange: ((origins: string[]) => void) | null;
}) {
  const origins = spec.embed_origins ?? [];
  const [typed, setTyped] = useState("");
  const text = linesOf(typed).join("\n") === origins.join("\n") ? typed : origins.join("\n");
  const wrong = issues.find(({ field }) => field.startsWith(embedField));
  const at = Number(wrong?.field.split("/")[2] ?? Number.NaN);
  return (
    <Textarea
      label={t("spec.embed_origins")}
      description={t("spec.embed_origins_hint")}
      placeholder="https://shop.example"
      value={text}
      rows={Math.max(2, text.split("\n").length)}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange?.(linesOf(event.currentTarget.value));
      }}
      disabled={onChange === null}
      error={wrong && [origins[at], said(wrong.message)].filter(Boolean).join(": ")}
      spellCheck={false}
      autoCapitalize="off"
    />
  );
}

/** Where in a specification the origins stand. */
const embedField = "/embed_origins";
