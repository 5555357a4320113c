const folded = (lang: string) => lang.replace("_", "-").toLowerCase();
/** Where a language is spoken in several ways, the one that its words are written for. */
const usual: Partial<Record<string, string>> = { zh: "zh-cn", pt: "pt-br" };

/** The voice for a language: the one that its words are written for, else any that speaks it. */
export function voiceFor<V extends { readonly lang: string }>(locale: string, voices: readonly V[]): V | undefined {
  const [language = ""] = folded(locale).split("-");
  const speaks = voices.filter(({ lang }) => folded(lang).split("-")[0] === language);
  const wanted = usual[language];
  const exact = speaks.find(({ lang }) => folded(lang) === (wanted ?? folded(locale)));
  // A Cantonese voice reads Chinese words in another language.
  return exact ?? speaks.find(({ lang }) => !/^zh-(hk|mo)/.test(folded(lang)));
}

/** Whether there is a voice for a language. Where it speaks, the live region waits for it to end. */
export const canSay = (locale: string): boolean =>
  voiceFor(locale, globalThis.speechSynthesis?.getVoices() ?? []) !== undefined;

/** Says a sentence aloud, where the browser can and has a voice for the language. The screen says the same. */
export function say(words: string, locale: string): void {
  const voices = globalThis.speechSynthesis;
  const voice = voices && voiceFor(locale, voices.getVoices());
  if (!voice) return;
  voices.cancel();
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = voice.lang;
  speech.voice = voice;
  voices.speak(speech);
}

export const hush = (): void => globalThis.speechSynthesis?.cancel();
