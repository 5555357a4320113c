import type { Page, Route } from "@playwright/test";

/** An answer to one call of the API: a body, a status with a body, or silence. */
type Answer = { status?: number; json?: unknown; file?: string; events?: string; hang?: true };
export type Api = Readonly<Record<string, Answer>>;

export type Shown = {
  url: string;
  page: Page;
  pictures: { document: string; back: string; selfie: string; portrait: string; face: string; film: string };
};

/** One screen in one state: the answers that lead there, and what a person does to get there. */
export type State = {
  name: string;
  path: string;
  api: Api;
  /** Runs before the page's own script. */
  before?: string;
  act?: (shown: Shown) => Promise<void>;
  /** What must be on the screen: a heading or a name that is looked for. */
  sees: string | RegExp;
  locale?: string;
};

/** Answers `METHOD /path` from the table; what is not in it is answered 404, and the test says so. */
export async function answer(page: Page, api: Api): Promise<void> {
  await page.route(/\/v1\//, async (route: Route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname;
    const row = api[`${request.method()} ${path}`] ?? api[path];
    if (row?.hang) return;
    if (row?.file) return route.fulfill({ path: row.file, contentType: "image/jpeg" });
    if (row?.events !== undefined) return route.fulfill({ body: row.events, contentType: "text/event-stream" });
    if (row)
      return route.fulfill({
        status: row.status ?? 200,
        body: JSON.stringify(row.json ?? null).replaceAll("__ORIGIN__", new URL(request.url()).origin),
        contentType: row.status && row.status >= 400 ? "application/problem+json" : "application/json",
      });
    return route.fulfill({
      status: 404,
      json: { code: "not_found", title: "Not found.", remedy: "", status: 404 },
    });
  });
}
