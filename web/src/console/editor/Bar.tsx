import { Button } from "@mantine/core";
import { State } from "../parts/State.tsx";
import { t } from "../words.ts";
import css from "./Editor.module.css";

/** What can be done with a draft, always in sight: its state, and Save, Test and Publish. */
export function Bar({
  unsaved,
  problems,
  why,
  saving,
  onSave,
  onTest,
  onPublish,
}: {
  unsaved: boolean;
  problems: number;
  /** Why it cannot be published now; empty if it can. */
  why: string;
  saving: boolean;
  onSave: () => void;
  onTest: () => void;
  onPublish: () => void;
}) {
  const state =
    problems > 0
      ? t(problems === 1 ? "editor.to_fix_one" : "editor.to_fix", { n: problems })
      : t(unsaved ? "editor.unsaved" : "editor.ready");
  return (
    <section className={css.bar} aria-label={t("editor.bar")}>
      <span className={css.state}>
        <State shape={problems > 0 ? "fail" : unsaved ? "running" : "pass"}>{state}</State>
      </span>
      <Button loading={saving} disabled={!unsaved} onClick={onSave}>
        {t("workflow.save")}
      </Button>
      <Button variant="default" onClick={onTest}>
        {t("editor.test")}
      </Button>
      <Button variant="default" disabled={why !== ""} aria-describedby="why" onClick={onPublish}>
        {t("workflow.publish")}
      </Button>
      <span id="why" className={css.why}>
        {why}
      </span>
    </section>
  );
}
