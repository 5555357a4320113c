/** Returns the token after # in the link, and removes it from the address. That part never reaches a server or its log. */
export function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (token) history.replaceState(history.state, "", location.pathname);
  return token;
}
