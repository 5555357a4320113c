import { Button, Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { State } from "../parts/State.tsx";
import { t } from "../words.ts";
import css from "./Editor.module.css";

/** Where the buttons of the bar would take more than a line. */
const narrow = "(max-width: 40rem)";

/** What can be done with a draft, always in sight: its state, and Save, Test and Publish; on a phone Save, and the rest in a menu. */
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
  const phone = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  return (
    <section className={css.bar} aria-label={t("editor.bar")}>
      <span className={css.state}>
        <State shape={problems > 0 ? "fail" : unsaved ? "running" : "pass"}>{state}</State>
      </span>
      <Button className={css.save} loading={saving} disabled={!unsaved} onClick={onSave}>
        {t("workflow.save")}
      </Button>
      {phone ? (
        <Menu position="top-end" withinPortal>
          <Menu.Target>
            <Button variant="default">{t("editor.more")}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={onTest}>{t("editor.test")}</Menu.Item>
            <Menu.Item disabled={why !== ""} onClick={onPublish}>
              {t("workflow.publish")}
              {why && <span className={css.because}>{why}</span>}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        <>
          <Button variant="default" onClick={onTest}>
            {t("editor.test")}
          </Button>
          <Button variant="default" disabled={why !== ""} aria-describedby="why" onClick={onPublish}>
            {t("workflow.publish")}
          </Button>
          <span id="why" className={css.why}>
            {why}
          </span>
        </>
      )}
    </section>
  );
}
