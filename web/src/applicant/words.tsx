import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { en, type Key, type Words } from "../i18n/en.ts";
import { type Speaker, speaker } from "../i18n/translate.ts";
import { keep } from "./keep.ts";

/** The languages of the applicant's screens, in their own names. All but English load when they are chosen. */
export const languages = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof languages;

const load: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  de: async () => (await import("../i18n/de.ts")).de,
  fr: async () => (await import("../i18n/fr.ts")).fr,
};

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/** The first of the wanted languages that there is, else English. Tags are BCP 47; only the language part counts. */
export function pickLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [part = ""] = tag.toLowerCase().split("-");
    if (isLanguage(part)) return part;
  }
  return "en";
}

type Words$ = Speaker<Key> & { language: Language; speak: (tag: string) => void; suggest: (tag: string) => void };

const Context = createContext<Words$ | null>(null);

/** The words of the present language, and how to change it. */
export function useWords(): Words$ {
  const words = useContext(Context);
  if (!words) throw new Error("useWords outside of WordsProvider");
  return words;
}

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(() =>
    pickLanguage([keep.language() ?? "", ...navigator.languages]),
  );
  const [words, setWords] = useState<{ language: Language; words: Words }>({ language: "en", words: en });

  useEffect(() => {
    let left = false;
    load[language]().then(
      (loaded) => !left && setWords({ language, words: loaded }),
      () => undefined, // not reachable just now: the words on the screen stay
    );
    return () => {
      left = true;
    };
  }, [language]);

  useEffect(() => {
    document.documentElement.lang = words.language;
    document.documentElement.dir = speaker(words.language, words.words).dir;
  }, [words]);

  const speak = useCallback((tag: string) => {
    const chosen = pickLanguage([tag]);
    keep.setLanguage(chosen);
    setLanguage(chosen);
  }, []);
  // The integrator's locale counts unless the person has chosen a language on this page.
  const suggest = useCallback((tag: string) => {
    if (!keep.language() && tag) setLanguage(pickLanguage([tag, ...navigator.languages]));
  }, []);

  const value = useMemo(
    () => ({ ...speaker(words.language, words.words), language: words.language, speak, suggest }),
    [words, speak, suggest],
  );
  return <Context value={value}>{children}</Context>;
}
