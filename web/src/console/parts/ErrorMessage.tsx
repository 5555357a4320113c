import { Refused } from "../../api/failure.ts";
import css from "../pages/Door.module.css";
import { t } from "../words.ts";
import { refusalText } from "./refusal.ts";

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
  const said = problem && refusalText(problem);
  const own = says[problem?.code ?? ""];
  return (
    <p className={css.error} role="alert">
      <strong>{own?.[0] ?? said?.title ?? t("app.failed")}</strong>
      {own?.[1] ?? said?.more ?? ""} {!own && said?.english && <span lang="en">{said.english}</span>}
    </p>
  );
}
