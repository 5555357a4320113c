/**
 * What this tab keeps: the token of each session it opened, and which link led to it. It lives in sessionStorage,
 * so it goes with the tab. Storage can be refused (private windows, framed pages): then memory keeps it, and
 * only a reload loses it.
 *
 * A session that came from another device by its code is kept by the browser, not only the tab: every look at the code
 * opens a new tab, and the code works once. It is forgotten when the session ends.
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
const returnKey = (session: string) => `bonafide.return.${session}`;
const cameKey = "bonafide.handoff";

export type About = { brand: string; test: boolean };

const aboutOf = (raw: string): About => ({ brand: raw.slice(1), test: raw.startsWith("t") });
const rawAbout = (about: About) => `${about.test ? "t" : "l"}${about.brand}`;

/** The session that came from another device; the last one only. */
type Came = { session: string; link: string; token: string; about: About };

function came(): Came | undefined {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(cameKey);
  } catch {
    raw = memory.get(cameKey) ?? null;
  }
  const [until = "", session = "", link = "", token = "", about = "l"] = (raw ?? "").split("\n");
  if (!token) return undefined;
  if (Number(until) > Date.now()) return { session, link, token, about: aboutOf(about) };
  forget();
  return undefined;
}

function forget(): void {
  memory.delete(cameKey);
  try {
    localStorage.removeItem(cameKey);
  } catch {
    // nothing is kept there
  }
}

export const keep = {
  opened(link: string, session: string, token: string, about: About): void {
    write(tokenKey(session), token);
    write(linkKey(link), session);
    write(brandKey(session), rawAbout(about));
  },
  /** A session that came from another device, with the time when it ends. */
  cameOver(link: string, session: string, token: string, about: About, until: string | null): void {
    keep.opened(link, session, token, about);
    write(cameKey + session, "yes");
    const end = until ? Date.parse(until) : Date.now() + 24 * 3_600_000;
    const raw = [end, session, link, token, rawAbout(about).replaceAll("\n", " ")].join("\n");
    memory.set(cameKey, raw);
    try {
      localStorage.setItem(cameKey, raw);
    } catch {
      // memory has it
    }
  },
  cameHere: (session: string): boolean => came()?.session === session || read(cameKey + session) === "yes",
  /** The session ended, or went back: nothing of it stays in this browser but in this tab. */
  gone(session: string): void {
    if (came()?.session === session) forget();
  },
  token(session: string): string | undefined {
    const over = came();
    return over?.session === session ? over.token : read(tokenKey(session));
  },
  sessionOf(link: string): string | undefined {
    const over = came();
    return over?.link === link ? over.session : read(linkKey(link));
  },
  about(session: string): About {
    const over = came();
    return over?.session === session ? over.about : aboutOf(read(brandKey(session)) ?? "l");
  },
  /** Where the person goes when the session that they handed on has ended. */
  returnTo: (session: string): string => read(returnKey(session)) ?? "",
  setReturn: (session: string, url: string): void => write(returnKey(session), url),
  language: (): string | undefined => read("bonafide.language"),
  setLanguage: (language: string): void => write("bonafide.language", language),
  /** The language that the session was made for. */
  suggested: (): string | undefined => read("bonafide.suggested"),
  setSuggested: (language: string): void => write("bonafide.suggested", language),
};
