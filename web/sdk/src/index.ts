import { protocol, type Result, readMessage, type Step } from "./messages.js";

export type { Result, Step } from "./messages.js";

/** What happens, by its name, and what comes with it. Nothing personal, and no verdict: ask the API for that, on your server. */
export type Events = {
  /** The person's page is there. */
  ready: Record<never, never>;
  /** Something is asked for. */
  step: { step: Step };
  /** Everything was sent. This is not a verdict. */
  submitted: Record<never, never>;
  /** It is over, or a person of the operator's looks at it ("in_review", after which "decided" can follow). */
  result: { state: Result };
  /** Something stands in the way; the person is told what to do. Codes are those of the catalogue, of cameras, and `popup.blocked`, `link.invalid`, `embed.silent`. */
  problem: { code: string };
  /** The frame or window is gone. Comes once, and last. */
  closed: Record<never, never>;
};

export type Listeners = { [Name in keyof Events]?: (event: Events[Name]) => void };

export type Options = {
  on?: Listeners;
};

export type EmbedOptions = Options & {
  /** What screen readers call the frame. */
  title?: string;
  /** Least height in pixels; the frame grows with its page. 640 if left out. */
  minHeight?: number;
  /** Whether the focus goes into the frame when it is there; yes unless false. It does not if the person has gone on meanwhile. */
  focus?: boolean;
};

export type Verification = {
  /** Takes the frame or the window away. What the person sent stays sent. */
  close: () => void;
};

/** How long a page that has loaded may say nothing. */
const patience = 10_000;

/** The address of a session, checked: an https link (http on this machine) that the API answered. Throws a TypeError for others. */
function checked(link: string): URL {
  const url = new URL(link);
  const near = url.hostname === "localhost" || url.hostname === "127.0.0.1";
  if (!(url.protocol === "https:" || (url.protocol === "http:" && near)) || !/^\/v\/[\w-]+$/.test(url.pathname))
    throw new TypeError("That is not the link of a session.");
  return url;
}

/** The address with the page that shows it, so that it knows whom to tell. The part after # stays in the browser. */
const told = (url: URL): string => {
  url.hash = `host=${encodeURIComponent(location.origin)}`;
  return url.href;
};

/** What an integrator can do where the page says nothing. */
const unnamed = ({ origin }: URL): string =>
  `Bonafide: the identity check says nothing. Enter ${location.origin} under "Pages that may embed it" (embed_origins) of the workflow, publish it, and make a new session: ${origin}/docs/guides/embedding`;

/** Goes to the person's page. The session's return_url leads back. */
export function redirect(link: string): void {
  location.assign(checked(link).href);
}

/** What both ways of showing share: who may speak, and what is passed on. */
function talk(on: Listeners, peer: () => Window | null, onSize?: (height: number) => void) {
  let origin = "";
  let spoke = false;
  let over = false;
  const tell = <Name extends keyof Events>(name: Name, event: Events[Name]) => {
    const listener: Listeners[Name] = on[name];
    if (!over) listener?.(event);
  };
  const hear = ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (!origin || from !== origin || !source || source !== peer()) return;
    const heard = readMessage(data);
    if (!heard) return;
    spoke = true;
    if (heard.type === "size") onSize?.(heard.height);
    else if (heard.type === "step") tell("step", { step: heard.step });
    else if (heard.type === "result") tell("result", { state: heard.state });
    else if (heard.type === "problem") tell("problem", { code: heard.code });
    else tell(heard.type, {});
  };
  addEventListener("message", hear);
  return {
    tell,
    expect: (url: URL) => {
      origin = url.origin;
    },
    /** Whether a page was asked for and has not said anything. */
    silent: () => origin !== "" && !spoke,
    end: () => {
      if (over) return;
      removeEventListener("message", hear);
      tell("closed", {});
      over = true;
    },
  };
}

/**
 * Shows the person's page in a window of its own. Call it at once when a button is pressed, or browsers block it: while your server
 * makes the session, give the promise of its link. The workflow has to name your origin, or the window cannot tell you anything.
 */
export function popup(link: string | Promise<string>, { on = {} }: Options = {}): Verification {
  const first = typeof link === "string" ? checked(link) : null;
  const shown = window.open("", "_blank", "popup,width=480,height=860");
  const line = talk(on, () => shown);
  let watch: ReturnType<typeof setInterval> | undefined;
  const close = () => {
    clearInterval(watch);
    shown?.close();
    line.end();
  };
  const go = (url: URL) => {
    line.expect(url);
    if (shown && !shown.closed) shown.location.replace(told(url));
  };
  if (!shown) {
    queueMicrotask(() => {
      line.tell("problem", { code: "popup.blocked" });
      line.end();
    });
    return { close };
  }
  watch = setInterval(() => {
    if (!shown.closed) return;
    // Also a window that browsers keep from a page that the workflow does not name says that it is closed.
    if (line.silent()) line.tell("problem", { code: "embed.silent" });
    close();
  }, 400);
  if (first) go(first);
  else
    Promise.resolve(link)
      .then((late) => go(checked(late)))
      .catch(() => {
        line.tell("problem", { code: "link.invalid" });
        close();
      });
  return { close };
}

/** Shows the person's page in a frame inside of an element. The workflow has to name your origin, or the browser refuses it. */
export function embed(container: Element, link: string, options: EmbedOptions = {}): Verification {
  const url = checked(link);
  const least = options.minHeight ?? 640;
  const before = document.activeElement;
  const frame = document.createElement("iframe");
  frame.title = options.title ?? "Identity check";
  frame.allow = "camera";
  frame.referrerPolicy = "origin"; // so that the server can say, in the frame, which page the workflow does not name
  frame.style.cssText = `display:block;width:100%;border:0;height:${least}px`;

  let silent: ReturnType<typeof setTimeout> | undefined;
  let spoke = false;
  const ready = () => {
    spoke = true;
    clearTimeout(silent);
    if (options.focus === false || (document.activeElement !== before && document.activeElement !== document.body))
      return;
    frame.focus({ preventScroll: true });
    frame.contentWindow?.postMessage({ bonafide: protocol, type: "focus" }, url.origin);
  };
  const on: Listeners = {
    ...options.on,
    ready: (event) => {
      ready();
      options.on?.ready?.(event);
    },
  };
  const line = talk(
    on,
    () => frame.contentWindow,
    (height) => {
      frame.style.height = `${Math.max(height, least)}px`;
    },
  );
  line.expect(url);
  frame.addEventListener("load", () => {
    clearTimeout(silent);
    silent = setTimeout(() => {
      if (spoke) return;
      // biome-ignore lint/suspicious/noConsole: an integrator looks here first
      console.error(unnamed(url));
      line.tell("problem", { code: "embed.silent" });
    }, patience);
  });
  frame.src = told(url);
  container.append(frame);
  return {
    close: () => {
      clearTimeout(silent);
      const inside = document.activeElement === frame;
      frame.remove();
      if (inside && before instanceof HTMLElement && before.isConnected) before.focus();
      line.end();
    },
  };
}
