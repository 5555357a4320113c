/** Whether there is a voice for a language. Where it speaks, the live region waits for it to end. */
export const canSay = (locale: string): boolean =>
  globalThis.speechSynthesis?.getVoices().some(({ lang }) => lang.slice(0, 2) === locale.slice(0, 2)) ?? false;

/** Says a sentence aloud, where the browser can and has a voice for the language. The screen says the same. */
export function say(words: string, locale: string): void {
  const voices = globalThis.speechSynthesis;
  if (!voices) return;
  voices.cancel();
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = locale;
  voices.speak(speech);
}

export const hush = (): void => globalThis.speechSynthesis?.cancel();
