import { Refused } from "../../api/failure.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";

/** Why a form was refused, and what to do about it. A form may say a problem in words that fit it better. */
export function Wrong({
  error,
  says = {},
}: {
  error: unknown;
  says?: Readonly<Record<string, readonly [title: string, text: string]>>;
}) {
  if (!error) return null;
  const problem = error instanceof Refused ? error.problem : null;
  const own = says[problem?.code ?? ""];
  return (
    <p className={css.error} role="alert">
      <strong>{own?.[0] ?? problem?.title ?? t("app.failed")}</strong>
      {own?.[1] ?? problem?.detail ?? problem?.remedy ?? ""}
    </p>
  );
}
