import { useState } from "react";
import type { Task } from "../../api/wire.ts";
import { calls } from "../calls.ts";
import { later } from "../flow/later.ts";
import { useWords } from "../words.tsx";
import css from "./Persona.module.css";

/** Above the steps of a session that a test persona settles: one button takes them all. */
export function Persona({ name, token, onTask }: { name: string; token: string; onTask: (task: Task) => void }) {
  const { t } = useWords();
  const [busy, setBusy] = useState(false);
  const finish = async () => {
    setBusy(true);
    try {
      onTask(await later.simulate(token).catch(() => calls.task(token))); // somebody was faster: what is next now
    } catch {
      setBusy(false); // no connection: the button can be pressed again
    }
  };
  return (
    <aside className={css.bar} aria-label={t("app.test_mode")}>
      <p className={css.text}>{t("persona.text", { name })}</p>
      <button type="button" className={css.button} aria-busy={busy} onClick={busy ? undefined : () => void finish()}>
        {t("persona.finish")}
      </button>
    </aside>
  );
}
