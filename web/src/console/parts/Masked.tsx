import { useSuspenseQuery } from "@tanstack/react-query";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Masked.module.css";

/** Says that what is personal is masked for who is signed in, and why. The server does it; here it is only told. */
export function Masked() {
  const { data: me } = useSuspenseQuery(queries.me);
  if (!me.masked.includes("sessions.read")) return null;
  return (
    <p className={css.note} role="note">
      <strong>{t("masked.title")}</strong>
      {t("masked.text")}
    </p>
  );
}
