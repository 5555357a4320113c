import css from "./Ring.module.css";

/** An open ring that has not closed: something is under way. */
export function Ring() {
  return (
    <svg className={css.ring} viewBox="0 0 96 96" width="104" height="104" aria-hidden="true" focusable="false">
      <circle cx="48" cy="48" r="38" className={css.groove} />
      <path d="M72.300 18.800A38 38 0 1 0 86 48" className={css.arc} />
    </svg>
  );
}
