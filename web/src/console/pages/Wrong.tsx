import { Refused } from "../../api/failure.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";

/** Why a form was refused, and what to do about it. */
export function Wrong({ error }: { error: unknown }) {
  if (!error) return null;
  const problem = error instanceof Refused ? error.problem : null;
  return (
    <p className={css.error} role="alert">
      <strong>{problem?.title ?? t("app.failed")}</strong>
      {problem?.detail ?? problem?.remedy ?? ""}
    </p>
  );
}
