import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "@playwright/test";
import { type Size, sizes, themes } from "./browser.ts";

/** A picture on a sheet: the file in the sheet's folder, what it shows, and how large it is drawn. */
type Cell = { file: string; shows: string; size: Size };

/** The cells of a screen: on a phone, a laptop and a desktop, light and dark. Those whose picture was not taken are left out. */
export const sizesOf = (name: string): Cell[] =>
  (["phone", "laptop", "desktop"] as const).flatMap((size) =>
    themes.map((theme) => ({ file: `${name}.${size}.${theme}.png`, shows: `${name}, ${size}, ${theme}`, size })),
  );

/** How many pictures are beside and below each other on a sheet that can be read, and how wide each is drawn. */
const grids: Record<Size, { across: number; down: number; width: number }> = {
  phone: { across: 6, down: 2, width: 320 },
  laptop: { across: 3, down: 3, width: 640 },
  desktop: { across: 3, down: 3, width: 640 },
};

/** Sheets of one size and theme each, large enough to read: sheet.phone.light.1.png and so on, names in the order given. */
export async function readableSheets(browser: Browser, folder: string, names: readonly string[]): Promise<void> {
  for (const size of Object.keys(grids) as Size[])
    for (const theme of themes) {
      const { across, down, width } = grids[size];
      const taken = names.filter((name) => existsSync(join(folder, `${name}.${size}.${theme}.png`)));
      const height = Math.round((width * sizes[size].height) / sizes[size].width);
      for (let from = 0; from < taken.length; from += across * down) {
        const cells = taken
          .slice(from, from + across * down)
          .map(
            (name) =>
              `<figure><figcaption>${name}</figcaption><img src="${name}.${size}.${theme}.png" alt=""></figure>`,
          );
        const style = `body{margin:8px;background:#8a94a3;font:13px system-ui;display:grid;gap:8px;grid-template-columns:repeat(${across},${width}px)}
figure{margin:0}img{display:block;width:${width}px;height:${height}px;object-fit:cover;object-position:top}`;
        const file = `sheet.${size}.${theme}.${from / (across * down) + 1}`;
        await drawn(browser, folder, file, `<style>${style}</style>${cells.join("")}`, across * (width + 8) + 8);
      }
    }
}

/** Writes a page into the folder and takes its picture. */
async function drawn(browser: Browser, folder: string, file: string, body: string, width: number): Promise<string> {
  const page = join(folder, `${file}.html`);
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><title>Every screen</title>${body}`);
  const tab = await browser.newPage({ viewport: { width, height: 400 } });
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForLoadState("networkidle");
  const picture = join(folder, `${file}.png`);
  await tab.screenshot({ path: picture, fullPage: true, timeout: 120_000 });
  await tab.close();
  return picture;
}

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
  const body = `<style>${style}</style><main>${rows.join("")}</main>`;
  writeFileSync(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><title>Every screen</title>${body}`);
  return drawn(browser, folder, "contact-sheet", body, 1960);
}
