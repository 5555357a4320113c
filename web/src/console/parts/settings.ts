const pages = [
  { to: "/console/settings/system", word: "system.title", may: "system.read" },
  { to: "/console/settings/team", word: "team.title", may: "team.manage" },
  { to: "/console/settings/security", word: "security.title", may: "team.manage" },
  { to: "/console/settings/watchlists", word: "lists.title", may: "watchlists.read" },
  { to: "/console/settings/retention", word: "retention.title", may: "sessions.erase" },
  { to: "/console/settings/trust", word: "trust.title", may: "trust.read" },
  { to: "/console/settings/audit", word: "audit.title", may: "audit.read" },
  { to: "/console/settings/account", word: "account.title", may: null },
] as const;

/** The pages of settings that somebody may see; their own account last. */
export const settingsPages = (may: readonly string[]) =>
  pages.filter((page) => page.may === null || may.includes(page.may));
