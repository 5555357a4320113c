import { saidText } from "../said.ts";

/** A sentence of the server's in the console's language; in English, and marked as such, where the language does not have it. */
export function Said({ text, className }: { text: string; className?: string | undefined }) {
  const here = saidText(text);
  return (
    <span className={className} lang={here === undefined ? "en" : undefined}>
      {here ?? text}
    </span>
  );
}
