import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { en, type Key, type Words } from "../i18n/en.ts";
import { type Language, languages, loadWords, pickLanguage } from "../i18n/languages.ts";
import { type Speaker, speaker } from "../i18n/translate.ts";
import { brandOf } from "../ui/brand.ts";
import { keep } from "./keep.ts";

type Words$ = Speaker<Key> & { language: Language; speak: (tag: string) => void; suggest: (tag: string) => void };

const Context = createContext<Words$ | null>(null);

/** The words of the present language, and how to change it. */
export function useWords(): Words$ {
  const words = useContext(Context);
  if (!words) throw new Error("useWords outside of WordsProvider");
  return words;
}

const pick = (wanted: readonly string[]) => pickLanguage(wanted, brandOf(document).languages);

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(() =>
    pick([keep.language() ?? "", keep.suggested() ?? "", ...navigator.languages]),
  );
  const [words, setWords] = useState<{ language: Language; words: Words }>({ language: "en", words: en });
  // Until the first words are there nothing is shown, so that nobody reads English first.
  const [ready, setReady] = useState(language === "en");

  useEffect(() => {
    let left = false;
    loadWords[language]()
      .then(
        (loaded) => !left && setWords({ language, words: loaded }),
        () => undefined, // not reachable just now: the words on the screen stay
      )
      .finally(() => setReady(true));
    return () => {
      left = true;
    };
  }, [language]);

  const spoken = useMemo(() => {
    const region = navigator.languages.find((tag) => tag.split("-")[0] === words.language);
    return speaker(languages[words.language].tag, words.words, region);
  }, [words]);
  useLayoutEffect(() => {
    document.documentElement.lang = spoken.locale;
    document.documentElement.dir = spoken.dir;
  }, [spoken]);

  const speak = useCallback((tag: string) => {
    const chosen = pick([tag]);
    keep.setLanguage(chosen);
    setLanguage(chosen);
  }, []);
  // The integrator's locale counts unless the person has chosen a language on this page.
  const suggest = useCallback((tag: string) => {
    keep.setSuggested(tag);
    if (!keep.language() && tag) setLanguage(pick([tag, ...navigator.languages]));
  }, []);

  const value = useMemo(
    () => ({ ...spoken, language: words.language, speak, suggest }),
    [spoken, words, speak, suggest],
  );
  return (
    <Context value={value}>
      <div hidden={!ready}>{children}</div>
    </Context>
  );
}
