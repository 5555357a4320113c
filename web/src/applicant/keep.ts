/**
 * What this tab keeps: the token of each session it opened, and which link led to it. It lives in sessionStorage,
 * so it goes with the tab. Storage can be refused (private windows, framed pages): then memory keeps it, and
 * only a reload loses it.
 */
const memory = new Map<string, string>();

function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return memory.get(key);
  }
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    memory.set(key, value);
  }
}

const tokenKey = (session: string) => `bonafide.token.${session}`;
const linkKey = (link: string) => `bonafide.link.${link}`;
const brandKey = (session: string) => `bonafide.brand.${session}`;

export type About = { brand: string; test: boolean };

export const keep = {
  opened(link: string, session: string, token: string, about: About): void {
    write(tokenKey(session), token);
    write(linkKey(link), session);
    write(brandKey(session), `${about.test ? "t" : "l"}${about.brand}`);
  },
  token: (session: string): string | undefined => read(tokenKey(session)),
  sessionOf: (link: string): string | undefined => read(linkKey(link)),
  about(session: string): About {
    const raw = read(brandKey(session)) ?? "l";
    return { brand: raw.slice(1), test: raw.startsWith("t") };
  },
  language: (): string | undefined => read("bonafide.language"),
  setLanguage: (language: string): void => write("bonafide.language", language),
  /** The language that the session was made for. */
  suggested: (): string | undefined => read("bonafide.suggested"),
  setSuggested: (language: string): void => write("bonafide.suggested", language),
};
