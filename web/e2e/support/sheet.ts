import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "@playwright/test";
import { type Size, themes } from "./browser.ts";

/** A picture on a sheet: the file in the sheet's folder, what it shows, and how large it is drawn. */
type Cell = { file: string; shows: string; size: Size };

/** The cells of a screen: on a phone, a laptop and a desktop, light and dark. Those whose picture was not taken are left out. */
export const sizesOf = (name: string): Cell[] =>
  (["phone", "laptop", "desktop"] as const).flatMap((size) =>
    themes.map((theme) => ({ file: `${name}.${size}.${theme}.png`, shows: `${name}, ${size}, ${theme}`, size })),
  );

/** One picture of all pictures that there are: a row a screen, with a page beside it that shows them in full when pressed. */
export async function contactSheet(
  browser: Browser,
  folder: string,
  screens: Readonly<Record<string, readonly Cell[]>>,
): Promise<string> {
  const rows = Object.entries(screens).map(([name, cells]) => {
    const shown = cells
      .filter(({ file }) => existsSync(join(folder, file)))
      .map(({ file, shows, size }) => `<a href="${file}"><img src="${file}" class="${size}" alt="${shows}"></a>`);
    return `<section><h2>${name}</h2><div>${shown.join("")}</div></section>`;
  });
  const style = `body{margin:16px;font:13px system-ui;background:#dfe4ea;color:#0b1f33}main{display:grid;grid-template-columns:max-content;gap:14px 24px}
h2{margin:0 0 4px;font-size:13px}section div{display:flex;gap:6px;align-items:flex-start}img{display:block;border-radius:3px;background:#fff}.phone,.laptop,.desktop{height:220px}`;
  mkdirSync(folder, { recursive: true });
  const page = join(folder, "index.html");
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><title>Every screen</title><style>${style}</style><main>${rows.join("")}</main>`,
  );
  const tab = await browser.newPage({ viewport: { width: 1960, height: 1200 } });
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForLoadState("networkidle");
  const sheet = join(folder, "contact-sheet.png");
  await tab.screenshot({ path: sheet, fullPage: true });
  await tab.close();
  return sheet;
}
