import { useEffect, useRef } from "react";
import { Button } from "../parts/Button.tsx";
import { useWords } from "../words.tsx";
import css from "./Stop.module.css";

/** Stopping cannot be undone, so it is asked twice. */
export function Stop({ onStop, onClose }: { onStop: () => void; onClose: () => void }) {
  const { t } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      aria-labelledby="stop-title"
      aria-describedby="stop-text"
      onClose={onClose}
    >
      <h2 id="stop-title" className={css.title}>
        {t("stop.title")}
      </h2>
      <p id="stop-text" className={css.text}>
        {t("stop.text")}
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>{t("stop.no")}</Button>
        <Button look="danger" onClick={onStop}>
          {t("stop.yes")}
        </Button>
      </div>
    </dialog>
  );
}
