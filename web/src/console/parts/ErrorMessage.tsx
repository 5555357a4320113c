import { Refused } from "../../api/failure.ts";
import css from "../pages/Door.module.css";
import { t } from "../words.ts";

/** Says why a call was refused, and what to do about it. `says` replaces the texts of some problems by others that fit the form. */
export function ErrorMessage({
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
