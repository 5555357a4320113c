import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import type { WorkflowBrand } from "../../api/wire.ts";
import { type Language, languages, loadWords } from "../../i18n/languages.ts";
import { type Speaker, speaker } from "../../i18n/translate.ts";
import type { Key } from "../../i18n/words.ts";
import { accentOf, type Theme } from "../../ui/brand.ts";
import { contrast } from "../../ui/contrast.ts";
import { Mark } from "../../ui/Mark.tsx";
import { numeral, t } from "../words.ts";
import css from "./Preview.module.css";

const themes = ["light", "dark"] as const satisfies readonly Theme[];
const colourForm = /^#[0-9a-f]{6}$/;

/** The applicant's first screen in this brand, on a phone, in both themes: the same words and the same reckoning of the colour. */
export function Preview({ brand, language }: { brand: WorkflowBrand; language: Language }) {
  const { data } = useQuery({
    queryKey: ["words", language],
    queryFn: () => loadWords[language](),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const colour = brand.colour.toLowerCase();
  const shown = colourForm.test(colour) ? colour : "";
  return (
    <section className={css.preview} aria-label={t("preview.title")}>
      <p className={css.caption}>{t("preview.text")}</p>
      {shown && themes.map((theme) => <Adapted key={theme} theme={theme} colour={shown} />)}
      <div className={css.phones}>
        {data &&
          themes.map((theme) => (
            <Phone
              key={theme}
              theme={theme}
              brand={brand}
              colour={shown}
              hello={brand.hello.find((one) => one.language === language)?.text ?? ""}
              words={speaker(languages[language].tag, data)}
            />
          ))}
      </div>
    </section>
  );
}

type Style = CSSProperties & Record<`--${string}`, string>;

function Phone({
  theme,
  brand,
  colour,
  hello,
  words,
}: {
  theme: Theme;
  brand: WorkflowBrand;
  colour: string;
  hello: string;
  words: Speaker<Key>;
}) {
  const style: Style = colour ? { ...accentOf(colour, theme) } : {};
  const name = brand.name || t("preview.deployment");
  const links = [brand.privacy && words.t("app.privacy"), brand.support && words.t("app.support")].filter(Boolean);
  return (
    <figure className={css.phone} data-theme={theme} style={style}>
      <figcaption className="visually-hidden">{t(`preview.${theme}`)}</figcaption>
      <div className={css.screen} lang={words.locale} dir={words.dir}>
        <div className={css.head}>
          {brand.logo ? <img className={css.logo} src={`/brand/${brand.logo}.png`} alt="" /> : <Mark size={20} />}
          <span className={css.name}>{name}</span>
        </div>
        <p className={css.title}>{words.t("start.title", { brand: name })}</p>
        {hello && <p>{hello}</p>}
        <p>{words.t("start.text")}</p>
        <p className={css.need}>{words.t("start.need.document")}</p>
        <p className={css.need}>{words.t("start.need.selfie")}</p>
        <span className={css.button}>{words.t("start.begin")}</span>
        <p className={css.foot}>
          {words.t("app.footer", { brand: name })}{" "}
          {links.map((link) => (
            <u key={link}>{link} </u>
          ))}
        </p>
      </div>
    </figure>
  );
}

/** Says where the colour is changed because it could not be read. */
function Adapted({ theme, colour }: { theme: Theme; colour: string }) {
  const accent = accentOf(colour, theme)["--accent"];
  if (accent === colour) return null;
  const ratio = contrast(colour, theme === "light" ? "#ffffff" : "#0a1723");
  return (
    <p className={css.caption} role="status">
      {t(`preview.adapted_${theme}`, { accent, colour, ratio: numeral(ratio, 1) })}
    </p>
  );
}
