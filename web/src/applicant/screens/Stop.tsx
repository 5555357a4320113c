import { useEffect, useRef } from "react";
import { Button } from "../parts/Button.tsx";
import { useWords } from "../words.tsx";
import css from "./Stop.module.css";

type Props = {
  /** What was pressed: to stop, or only to leave the face out of it. */
  to: "stop" | "faceless";
  onStop: () => void;
  /** Goes on without a face, where who does not want it need not stop. */
  onFaceless: (() => void) | null;
  onClose: () => void;
};

/** Neither can be undone, so it is asked twice. */
export function Stop({ to, onStop, onFaceless, onClose }: Props) {
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
        {t(to === "stop" ? "stop.title" : "consent.faceless")}
      </h2>
      <div id="stop-text">
        {to === "stop" && <p className={css.text}>{t("stop.text")}</p>}
        {onFaceless && <p className={css.text}>{t("stop.faceless")}</p>}
      </div>
      <div className={css.actions}>
        <Button onClick={onClose}>{t("stop.no")}</Button>
        {onFaceless && (
          <Button look="equal" onClick={onFaceless}>
            {t("consent.faceless")}
          </Button>
        )}
        {to === "stop" && (
          <Button look="danger" onClick={onStop}>
            {t("stop.yes")}
          </Button>
        )}
      </div>
    </dialog>
  );
}
