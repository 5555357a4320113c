import { NativeSelect } from "@mantine/core";
import {
  type ConsoleLanguage,
  chosenLanguage,
  consoleLanguages,
  keepLanguage,
  spokenLanguage,
} from "../../i18n/consoleLanguages.ts";
import { t } from "../words.ts";
import css from "./Team.module.css";

const isLanguage = (value: string): value is ConsoleLanguage => Object.hasOwn(consoleLanguages, value);

/** The language of the console in this browser. The page loads again to speak it. */
export function Language() {
  const choose = (value: string) => {
    keepLanguage(isLanguage(value) ? value : null);
    location.reload();
  };
  const own = consoleLanguages[spokenLanguage(null, navigator.languages)];
  return (
    <section className={css.card} aria-labelledby="language">
      <h2 id="language">{t("account.language")}</h2>
      <p>{t("account.language_text")}</p>
      <NativeSelect
        aria-labelledby="language"
        value={chosenLanguage() ?? ""}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: "", label: t("account.language_auto", { name: own }) },
          ...Object.entries(consoleLanguages).map(([value, label]) => ({ value, label })),
        ]}
        maw={352}
      />
    </section>
  );
}
