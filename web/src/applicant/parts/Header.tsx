import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "../words.tsx";
import css from "./Header.module.css";

/** To the step before, as the browser's own button. */
export function BackButton({ onBack }: { onBack: () => void }) {
  const { t } = useWords();
  return (
    <button type="button" className={css.back} onClick={onBack} aria-label={t("app.back")}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
        <path d="M14 5l-7 7 7 7" />
      </svg>
    </button>
  );
}

/** What can be done on any step. By key: opened with Enter or an arrow, closed with Escape or Tab. */
export function Menu({ onStop }: { onStop: () => void }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const item = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (open) item.current?.focus();
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open && event.key === "ArrowDown") setOpen(true);
    else if (open && event.key === "Escape") close();
    else return;
    event.preventDefault();
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget !== button.current && relatedTarget !== item.current) setOpen(false);
  };
  return (
    <div className={css.menu}>
      <button
        ref={button}
        type="button"
        className={css.more}
        aria-label={t("app.more")}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        onClick={() => setOpen(!open)}
      >
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
          <path d="M5 12h.01M12 12h.01M19 12h.01" />
        </svg>
      </button>
      <div id={id} role="menu" aria-label={t("app.more")} className={css.items} hidden={!open}>
        <button
          ref={item}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={css.item}
          onKeyDown={onKeyDown}
          onBlur={onBlur}
          onClick={() => {
            close();
            onStop();
          }}
        >
          {t("stop.open")}
        </button>
      </div>
    </div>
  );
}
