import { Button } from "@mantine/core";
import css from "../team/Team.module.css";
import { t } from "../words.ts";

/** Codes that sign one in when everything else is lost. They are shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <>
      <h3>{t("account.recovery")}</h3>
      <p role="status">{t("account.recovery_text")}</p>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button onClick={onDone}>{t("account.recovery_done")}</Button>
    </>
  );
}
