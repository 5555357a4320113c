/** The token stands after # in the link that was handed over: that part never reaches a server or its log. */
export function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (token) history.replaceState(history.state, "", location.pathname);
  return token;
}
