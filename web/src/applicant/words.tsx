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
import type { Key, Words } from "../i18n/en.ts";
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

const first = () => pick([keep.language() ?? "", keep.suggested() ?? "", ...navigator.languages]);
/**
 * Chromium gives a module that could not be fetched up for good, whatever the line does later; its error names the address.
 * So the same file is asked for at another, which the round makes.
 */
async function load(language: Language, round: number): Promise<Words> {
  try {
    return await loadWords[language]();
  } catch (error) {
    const [file] = /https?:\S+\.js/.exec(String(error)) ?? [];
    if (!file) throw error; // other browsers ask again by themselves
    const again: Record<string, Words> = await import(/* @vite-ignore */ `${file}?again=${round}`);
    const words = again[language];
    if (!words) throw error;
    return words;
  }
}

/** On its way before the first screen is put together. */
const early = { language: first(), words: load(first(), 0) };
early.words.catch(() => undefined); // asked for again below

const wordsOf = (language: Language, round: number): Promise<Words> =>
  early.language === language ? early.words.catch(() => load(language, round)) : load(language, round);

/** Nothing is shown before the first words are there, so that nobody reads another language or a key first. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(first);
  const [words, setWords] = useState<{ language: Language; words: Words | null }>({ language, words: null });
  const [round, setRound] = useState(1);
  const empty = words.words === null;

  useEffect(() => {
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => setRound((before) => before + 1);
    const put = (spoken: Language) => (loaded: Words) => left || setWords({ language: spoken, words: loaded });
    wordsOf(language, round)
      .then(put(language))
      .catch(() => {
        if (left) return;
        timer = setTimeout(again, 3000); // what is on the screen stays meanwhile
        addEventListener("online", again);
        if (language === "en") return;
        load("en", round).then(
          (loaded) => left || setWords((now) => (now.words ? now : { language: "en", words: loaded })),
          () => undefined,
        );
      });
    return () => {
      left = true;
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [language, round]);

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
    keep.setLanguage(chosen);
    setLanguage(chosen);
    setRound((before) => before + 1); // the same one, too: it may be the one that did not come
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
      <div hidden={empty}>{children}</div>
    </Context>
  );
}
