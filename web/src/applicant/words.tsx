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
import { type Language, languages, loadWords } from "../i18n/languages.ts";
import { pickLanguage } from "../i18n/pickLanguage.ts";
import { type Speaker, speaker } from "../i18n/translate.ts";
import type { Key, Words } from "../i18n/words.ts";
import { brandOf } from "../ui/brand.ts";
import { storage } from "./storage.ts";

type Translator = Speaker<Key> & {
  language: Language;
  /** Changes to the language that the person chose; it is remembered for this tab. */
  speak: (tag: string) => void;
  /** Changes to the language that the session asks for, unless the person has chosen one. */
  suggest: (tag: string) => void;
};

const WordsContext = createContext<Translator | null>(null);

/** Returns the texts of the present language, and the functions that change it. Must be used inside WordsProvider. */
export function useWords(): Translator {
  const words = useContext(WordsContext);
  if (!words) throw new Error("useWords outside of WordsProvider");
  return words;
}

const pick = (wanted: readonly string[]) => pickLanguage(wanted, brandOf(document).languages);

const firstLanguage = () => pick([storage.language() ?? "", storage.suggested() ?? "", ...navigator.languages]);

/**
 * Loads the texts of a language. Chromium never fetches a module again once that has failed, so a retry asks for the file that
 * the error names under another address, which `attempt` makes unique.
 */
async function load(language: Language, attempt: number): Promise<Words> {
  try {
    return await loadWords[language]();
  } catch (error) {
    const [file] = /https?:\S+\.js/.exec(String(error)) ?? [];
    if (!file) throw error; // other browsers fetch it again by themselves
    const retried: { words?: Words } = await import(/* @vite-ignore */ `${file}?again=${attempt}`);
    if (!retried.words) throw error;
    return retried.words;
  }
}

/** Requested before the first screen is rendered. */
const preloaded = { language: firstLanguage(), words: load(firstLanguage(), 0) };
preloaded.words.catch(() => undefined); // wordsOf tries again

const wordsOf = (language: Language, attempt: number): Promise<Words> =>
  preloaded.language === language ? preloaded.words.catch(() => load(language, attempt)) : load(language, attempt);

/** Shows nothing until the first texts have loaded, so that nobody reads another language or a key first. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [words, setWords] = useState<{ language: Language; words: Words | null }>({ language, words: null });
  const [attempt, setAttempt] = useState(1);
  const empty = words.words === null;

  useEffect(() => {
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => setAttempt((before) => before + 1);
    const put = (spoken: Language) => (loaded: Words) => left || setWords({ language: spoken, words: loaded });
    wordsOf(language, attempt)
      .then(put(language))
      .catch(() => {
        if (left) return;
        timer = setTimeout(again, 3000); // what is on the screen stays meanwhile
        addEventListener("online", again);
        if (language === "en") return;
        load("en", attempt).then(
          (loaded) => left || setWords((now) => (now.words ? now : { language: "en", words: loaded })),
          () => undefined,
        );
      });
    return () => {
      left = true;
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [language, attempt]);

  const spoken = useMemo(() => {
    const region = navigator.languages.find((tag) => tag.split("-")[0] === words.language);
    return speaker<Key>(languages[words.language].tag, words.words ?? {}, region);
  }, [words]);
  // What the page says until then (index.html).
  useLayoutEffect(() => {
    if (!empty) document.querySelector(".late")?.remove();
  }, [empty]);
  useLayoutEffect(() => {
    document.documentElement.lang = spoken.locale;
    document.documentElement.dir = spoken.dir;
  }, [spoken]);

  const speak = useCallback((tag: string) => {
    const chosen = pick([tag]);
    storage.setLanguage(chosen);
    setLanguage(chosen);
    setAttempt((before) => before + 1); // also for the same language, which may be the one that failed to load
  }, []);
  // The integrator's locale counts unless the person has chosen a language on this page.
  const suggest = useCallback((tag: string) => {
    storage.setSuggested(tag);
    if (!storage.language() && tag) setLanguage(pick([tag, ...navigator.languages]));
  }, []);

  const value = useMemo(
    () => ({ ...spoken, language: words.language, speak, suggest }),
    [spoken, words, speak, suggest],
  );
  return (
    <WordsContext value={value}>
      <div hidden={empty}>{children}</div>
    </WordsContext>
  );
}
