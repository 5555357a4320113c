/**
 * Holds the token of each session that this tab opened, and the link that led to it, in sessionStorage, so that both end with
 * the tab. Where the browser refuses storage (private windows, framed pages) they are held in memory until the page reloads.
 *
 * A session that came from another device is held in localStorage: each scan of its code opens a new tab, and the code works
 * once. It is removed when the session ends.
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
const unsentKey = (session: string) => `bonafide.unsent.${session}`;
const handoffKey = "bonafide.handoff";

export type About = { brand: string; test: boolean };

const aboutOf = (raw: string): About => ({ brand: raw.slice(1), test: raw.startsWith("t") });
const rawAbout = (about: About) => `${about.test ? "t" : "l"}${about.brand}`;

/** The last session that came to this browser from another device. */
type HandedOver = { session: string; link: string; token: string; about: About };

function handedOver(): HandedOver | undefined {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(handoffKey);
  } catch {
    raw = memory.get(handoffKey) ?? null;
  }
  const [until = "", session = "", link = "", token = "", about = "l"] = (raw ?? "").split("\n");
  if (!token) return undefined;
  if (Number(until) > Date.now()) return { session, link, token, about: aboutOf(about) };
  forget();
  return undefined;
}

function forget(): void {
  memory.delete(handoffKey);
  try {
    localStorage.removeItem(handoffKey);
  } catch {
    // storage is refused, so there is nothing to remove
  }
}

export const storage = {
  saveSession(link: string, session: string, token: string, about: About): void {
    write(tokenKey(session), token);
    write(linkKey(link), session);
    write(brandKey(session), rawAbout(about));
  },
  /** Saves a session that came from another device until it ends; for a day where `until` is null. */
  saveHandedOver(link: string, session: string, token: string, about: About, until: string | null): void {
    storage.saveSession(link, session, token, about);
    write(handoffKey + session, "yes");
    const end = until ? Date.parse(until) : Date.now() + 24 * 3_600_000;
    const raw = [end, session, link, token, rawAbout(about).replaceAll("\n", " ")].join("\n");
    memory.set(handoffKey, raw);
    try {
      localStorage.setItem(handoffKey, raw);
    } catch {
      // storage is refused; memory has it
    }
  },
  wasHandedOver: (session: string): boolean =>
    handedOver()?.session === session || read(handoffKey + session) === "yes",
  /** Removes a session that ended or went back to its device. This tab still has it. */
  forgetHandedOver(session: string): void {
    if (handedOver()?.session === session) forget();
  },
  token(session: string): string | undefined {
    const over = handedOver();
    return over?.session === session ? over.token : read(tokenKey(session));
  },
  sessionOf(link: string): string | undefined {
    const over = handedOver();
    return over?.link === link ? over.session : read(linkKey(link));
  },
  about(session: string): About {
    const over = handedOver();
    return over?.session === session ? over.about : aboutOf(read(brandKey(session)) ?? "l");
  },
  /** Returns where the person goes when a session that they handed on has ended; "" for nowhere. */
  returnTo: (session: string): string => read(returnKey(session)) ?? "",
  setReturn: (session: string, url: string): void => write(returnKey(session), url),
  /** The step of a picture that this tab had taken and not sent; "" for none. */
  unsent: (session: string): string => read(unsentKey(session)) ?? "",
  setUnsent: (session: string, step: string): void => write(unsentKey(session), step),
  language: (): string | undefined => read("bonafide.language"),
  setLanguage: (language: string): void => write("bonafide.language", language),
  /** Returns the language that the session was made for, if it was made for one. */
  suggested: (): string | undefined => read("bonafide.suggested"),
  setSuggested: (language: string): void => write("bonafide.suggested", language),
};
