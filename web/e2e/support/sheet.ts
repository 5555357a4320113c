import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "@playwright/test";
import { type Size, sizes, themes } from "./browser.ts";

/** One picture of all pictures: a row a screen, with a page beside it that shows them in full when pressed. */
export async function contactSheet(browser: Browser, folder: string, names: readonly string[]): Promise<string> {
  const cell = (name: string, size: Size, theme: string) => {
    const file = `${name}.${size}.${theme}.png`;
    return existsSync(join(folder, file))
      ? `<a href="${file}"><img src="${file}" class="${size}" alt="${name}, ${size}, ${theme}"></a>`
      : "";
  };
  const rows = names.map((name) => {
    const cells = Object.keys(sizes).flatMap((size) =>
      size === "phone" || size === "desktop" ? themes.map((theme) => cell(name, size, theme)) : [],
    );
    return `<section><h2>${name}</h2><div>${cells.join("")}</div></section>`;
  });
  const style = `body{margin:16px;font:13px system-ui;background:#dfe4ea;color:#0b1f33}main{display:grid;grid-template-columns:repeat(2,max-content);gap:14px 24px}
h2{margin:0 0 4px;font-size:13px}section div{display:flex;gap:6px;align-items:flex-start}img{display:block;border-radius:3px;background:#fff}.phone{height:220px}.desktop{height:220px}`;
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
