// What the browser says it is. It decides what is said and offered first, never what is possible.

/** Browsers inside other apps: most of them never lend the camera. */
const inside =
  /\bFBA[NV]\b|Instagram|\bLine\/|MicroMessenger|musical_ly|TikTok|BytedanceWebview|Twitter|Snapchat|LinkedInApp|Pinterest|GSA\/|; wv\)/;

export const isInApp = (agent = navigator.userAgent): boolean => inside.test(agent);

export type System = "ios" | "android" | "mac" | "windows" | "other";

/** `touches` tells an iPad, which says that it is a Mac, from one. */
export function systemOf(agent = navigator.userAgent, touches = navigator.maxTouchPoints): System {
  if (/iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touches > 1)) return "ios";
  if (/Android/.test(agent)) return "android";
  if (/Macintosh/.test(agent)) return "mac";
  return /Windows/.test(agent) ? "windows" : "other";
}

export type Browser =
  | "ios"
  | "ios_other"
  | "android"
  | "samsung"
  | "firefox_android"
  | "firefox"
  | "safari"
  | "chromium";

/** Which browser's words to use for allowing the camera. */
export function browserOf(agent = navigator.userAgent, touches = navigator.maxTouchPoints): Browser {
  const system = systemOf(agent, touches);
  if (system === "ios") return /CriOS|FxiOS|EdgiOS|OPiOS|OPT\//.test(agent) ? "ios_other" : "ios";
  if (/SamsungBrowser\//.test(agent)) return "samsung";
  if (/Firefox\//.test(agent)) return system === "android" ? "firefox_android" : "firefox";
  if (system === "android") return "android";
  return /Safari\//.test(agent) && !/Chrom(e|ium)\//.test(agent) ? "safari" : "chromium";
}

/** Whether this is a phone or a tablet: it has a camera of its own, and there is nothing to hand on. */
export const isHandheld = (): boolean => systemOf() === "ios" || systemOf() === "android";

/**
 * Whether this is a computer that can hand the check to a phone, which has the better camera: with a mouse and a wide screen, not in a
 * frame of another page, and with https, without which no phone that opens the link would have a camera.
 */
export const isDesk = (): boolean =>
  !isHandheld() &&
  window.parent === window &&
  window.isSecureContext &&
  matchMedia("(pointer: fine) and (min-width: 48rem)").matches;
