import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Issuer } from "../../api/wire.ts";
import { matching, type Named, named } from "../country.ts";
import { Refusal } from "../parts/Notice.tsx";
import { useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Country.module.css";

type Props = {
  issuers: readonly Issuer[];
  /** The person asked for the list, so the field takes the focus. */
  asked: boolean;
  onCountry: (issuer: Issuer) => void;
};

/** Where the list moves to by key. */
const steps: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
};

/**
 * Which country issued the document. A combobox whose list stands open below it: what is typed narrows it, the arrows move in
 * it, Enter or a touch takes one. A country that is not accepted is found, too, and says so before anything is photographed.
 */
export function Country({ issuers, asked, onCountry }: Props) {
  const { t, locale } = useWords();
  const { brand } = useAbout();
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(-1);
  const [refused, setRefused] = useState<Named | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const all = useMemo(() => named(issuers, locale, navigator.languages), [issuers, locale]);
  const found = useMemo(() => matching(all, text), [all, text]);

  useEffect(() => {
    if (asked) field.current?.focus();
  }, [asked]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const take = (one: Named | undefined) => {
    if (!one) return;
    if (one.issuer.accepted) onCountry(one.issuer);
    else setRefused(one);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      setAt(step(at, found.length - 1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      take(found[at] ?? (text && found.length === 1 ? found[0] : undefined));
    } else if (event.key === "Escape" && text) {
      event.preventDefault();
      setText("");
      setAt(-1);
      setRefused(null);
      field.current?.focus();
    }
  };

  return (
    <>
      <div className={css.field}>
        <label htmlFor={`${id}-text`} className={css.label}>
          {t("country.title")}
        </label>
        <p id={`${id}-hint`} className={css.hint}>
          {t("country.text")}
        </p>
        <input
          ref={field}
          id={`${id}-text`}
          className={css.input}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-describedby={`${id}-hint`}
          aria-activedescendant={found[at] ? `${id}-${found[at].issuer.code}` : undefined}
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={60}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(-1);
            setRefused(null);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="alert">
        {refused && (
          <Refusal title={t("country.refused_title", { country: refused.name })}>
            <p>{t("country.refused_text", { brand: brand || "Bonafide" })}</p>
          </Refusal>
        )}
      </div>
      <p className={css.count} role="status">
        {found.length === 0 ? t("country.none") : text && t("country.found", { n: found.length })}
      </p>
      {/* By key the focus stays in the field, which names the option it is at. A touch moves it to the option: keys go on from there. */}
      <div
        ref={list}
        id={`${id}-list`}
        className={css.list}
        role="listbox"
        aria-label={t("country.title")}
        hidden={found.length === 0}
        tabIndex={-1}
      >
        {found.map((one, i) => (
          <div
            key={one.issuer.code}
            id={`${id}-${one.issuer.code}`}
            className={css.option}
            role="option"
            aria-selected={i === at}
            tabIndex={-1}
            onClick={() => {
              setAt(i);
              take(one);
            }}
            onKeyDown={onKeyDown}
          >
            <span>{one.name}</span>
            {!one.issuer.accepted && <span className={css.not}>{t("country.not_accepted")}</span>}
          </div>
        ))}
      </div>
    </>
  );
}
