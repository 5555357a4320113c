/**
 * Holds the token of each session that this tab opened, and the link that led to it, in sessionStorage, so that both end with
 * the tab. Where the browser refuses storage (private windows, framed pages) they are held in memory until the page reloads.
 *
 * The key of the last session that this browser opened is held in localStorage until the session ends: it continues the session in
 * another tab, and is no credential for anything else. Where a frame is refused storage, as in private windows of Chromium, a cookie of
 * that frame in that page holds it, so that a page that is loaded again goes on. The server does not read it.
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
const cameKey = (session: string) => `bonafide.came.${session}`;
const stayedKey = (session: string) => `bonafide.stayed.${session}`;
const unsentKey = (session: string) => `bonafide.unsent.${session}`;
export const keptKey = "bonafide.kept";

export type About = { brand: string; test: boolean };

const aboutOf = (raw: string): About => ({ brand: raw.slice(1), test: raw.startsWith("t") });
const rawAbout = (about: About) => `${about.test ? "t" : "l"}${about.brand}`;

/** What the browser keeps of a session beyond the tab. `came` says that it came from another device. */
type Kept = { session: string; link: string; key: string; locale: string; came: boolean; about: About };

const cookieName = "bonafide_kept";

/** What the cookie holds, which is "" outside of frames that were refused storage. */
function cookie(): string {
  try {
    const [, value = ""] = new RegExp(`(?:^|; )${cookieName}=([^;]*)`).exec(document.cookie) ?? [];
    return decodeURIComponent(value);
  } catch {
    return ""; // refused, too, or not written here
  }
}

/** Writes the cookie for the pages of the applicant alone; 0 seconds remove it. */
function setCookie(raw: string, seconds: number): void {
  if (window.parent === window) return;
  for (const path of ["/v", "/verify"])
    try {
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store
      document.cookie = `${cookieName}=${encodeURIComponent(raw)}; Max-Age=${seconds}; Path=${path}; Secure; SameSite=None; Partitioned`;
    } catch {
      // a frame without an origin of its own: memory has it
    }
}

function kept(): Kept | undefined {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(keptKey);
  } catch {
    raw = memory.get(keptKey) ?? cookie();
  }
  const [until = "", session = "", link = "", key = "", locale = "", came = "", about = "l"] = (raw ?? "").split("\n");
  if (!key) return undefined;
  if (Number(until) > Date.now()) return { session, link, key, locale, came: came !== "", about: aboutOf(about) };
  forget();
  return undefined;
}

const keptOf = (session: string): Kept | undefined => {
  const found = kept();
  return found?.session === session ? found : undefined;
};

function forget(): void {
  memory.delete(keptKey);
  try {
    localStorage.removeItem(keptKey);
  } catch {
    setCookie("", 0);
  }
}

export const storage = {
  saveSession(link: string, session: string, token: string, about: About): void {
    write(tokenKey(session), token);
    write(linkKey(link), session);
    write(brandKey(session), rawAbout(about));
  },
  /** Keeps what continues the session in another tab until it ends; for a day where `until` is null. */
  keep({ session, link, key, locale, came, about }: Kept, until: string | null): void {
    if (came) write(cameKey(session), "yes");
    const end = until ? Date.parse(until) : Date.now() + 24 * 3_600_000;
    const raw = [end, session, link, key, locale, came ? "yes" : "", rawAbout(about).replaceAll("\n", " ")].join("\n");
    memory.set(keptKey, raw);
    try {
      localStorage.setItem(keptKey, raw);
    } catch {
      setCookie(raw, Math.max(Math.round((end - Date.now()) / 1000), 0));
    }
  },
  /** Keeps what continues a session until another time than was known before. */
  keepUntil(session: string, until: string): void {
    const found = keptOf(session);
    if (found) storage.keep(found, until);
  },
  /** Puts the session that follows in place of one: what the browser keeps leads to it from here on, and this tab has its token. */
  follow(session: string, next: string, token: string): void {
    const about = storage.about(session);
    const found = keptOf(session);
    if (found) storage.keep({ ...found, session: next, came: false }, null);
    write(tokenKey(next), token);
    write(brandKey(next), rawAbout(about));
    if (found) write(linkKey(found.link), next);
    if (storage.stayed(session)) storage.setStayed(next);
  },
  wasHandedOver: (session: string): boolean => keptOf(session)?.came === true || read(cameKey(session)) === "yes",
  /** Removes the key of a session that ended or moved. This tab still has its token. */
  forget(session: string): void {
    if (keptOf(session)) forget();
  },
  /** Removes what this tab and this browser have of a session that is another browser's now. */
  leave(link: string, session: string): void {
    storage.forget(session);
    for (const key of [tokenKey(session), linkKey(link)]) {
      memory.delete(key);
      try {
        sessionStorage.removeItem(key);
      } catch {
        // storage is refused; memory had it
      }
    }
  },
  kept: keptOf,
  token: (session: string): string | undefined => read(tokenKey(session)),
  sessionOf(link: string): string | undefined {
    const found = kept();
    return read(linkKey(link)) ?? (found?.link === link ? found.session : undefined);
  },
  about: (session: string): About => keptOf(session)?.about ?? aboutOf(read(brandKey(session)) ?? "l"),
  /** Returns where the person goes when a session that they handed on has ended; "" for nowhere. */
  returnTo: (session: string): string => read(returnKey(session)) ?? "",
  setReturn: (session: string, url: string): void => write(returnKey(session), url),
  /** Whether the person chose to go on at this computer, or came back to it from a phone. */
  stayed: (session: string): boolean => read(stayedKey(session)) === "yes",
  setStayed: (session: string): void => write(stayedKey(session), "yes"),
  /** The step of a picture that this tab had taken and not sent; "" for none. */
  unsent: (session: string): string => read(unsentKey(session)) ?? "",
  setUnsent: (session: string, step: string): void => write(unsentKey(session), step),
  language: (): string | undefined => read("bonafide.language"),
  setLanguage: (language: string): void => write("bonafide.language", language),
  /** Returns the language that the session was made for, if it was made for one. */
  suggested: (): string | undefined => read("bonafide.suggested"),
  setSuggested: (language: string): void => write("bonafide.suggested", language),
};
