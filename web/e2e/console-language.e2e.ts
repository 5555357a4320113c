import { expect } from "@playwright/test";
import { consoleStates } from "./states/console.ts";
import { signedIn } from "./states/desk.ts";
import { answer } from "./states/state.ts";
import { test } from "./support/test.ts";

// The language of the console: English loads nothing for it, another is chosen under "Your account", and the browser's own counts.
const german = /console\.de-[\w-]+\.js$/;

test("a member reads the console in German, and whoever reads English loads no German", async ({ open, site }) => {
  const { page, complaints } = await open("desktop", { locale: "en-GB" });
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await answer(page, signedIn);
  await page.goto(`${site.url}/console/settings/account`);
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  expect(loaded.filter((url) => german.test(url))).toEqual([]);

  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("heading", { level: 1, name: "Ihr Konto" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(loaded.filter((url) => german.test(url))).toHaveLength(1);
  await page
    .getByRole("link", { name: /^Sitzungen/ })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: "Sitzungen" }).waitFor();
  await page.getByText("Reisepass, Utopia").first().waitFor();

  await page.goto(`${site.url}/console/settings/account`);
  await page.getByRole("combobox", { name: "Sprache" }).selectOption("Wie im Browser (English)");
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("en-GB");
  expect(complaints).toEqual([]);
});

test("a browser that prefers German gets German before anybody has signed in", async ({ open, site }) => {
  const { page } = await open("phone", { locale: "de-AT" });
  await answer(page, signedIn);
  await page.goto(`${site.url}/login`);
  await page.getByRole("button", { name: "Anmelden" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de-AT");
});

// What the server writes in English: a name that somebody gave and an address are no sentences.
for (const [name, part, sentences] of [
  [
    "console-system",
    "main",
    [
      "die Bilder sind nicht erreichbar",
      "Sichern Sie täglich: bonafide backup.",
      "gültig bis 01.02.2027",
      "1,4 GiB frei",
    ],
  ],
  ["console-workflow-draft", "main", ["Zeile 1, Spalte 20: Syntaxfehler: unpassend"]],
  ["console-session-referred", "main", ["Es ist ein Musterdokument; dieser Workflow akzeptiert solche."]],
] as const)
  test(`${name} in German has no sentence of the server's in English`, {
    tag: name === "console-session-referred" ? [] : "@nightly",
  }, async ({ open, site }) => {
    const state = consoleStates.find((one) => one.name === name);
    const { page } = await open("desktop", { locale: "de-DE", timezoneId: "Europe/Berlin" });
    await answer(page, state?.api ?? {});
    await page.goto(site.url + (state?.path ?? ""));
    await page.getByRole("heading", { level: 1 }).waitFor();
    // Checks that passed are behind one line, and each says more once it is opened.
    for (const words of [/bestanden, .* nicht anwendbar/, /Ist es ein echtes Dokument, kein Muster/])
      if (name === "console-session-referred") await page.getByRole("button", { name: words }).click();
    for (const sentence of sentences) await page.getByText(sentence).first().waitFor();
    expect(await page.locator(`${part} span[lang=en]`).allTextContents()).toEqual([]);
  });

test("a German reviewer gets the case as a German document", async ({ open, site }) => {
  const state = consoleStates.find(({ name }) => name === "console-session-kept");
  const { page } = await open("desktop", { locale: "de-DE" });
  await answer(page, state?.api ?? {});
  await page.goto(site.url + (state?.path ?? ""));
  const asked = page.waitForRequest(/\/file\?/);
  await page.getByRole("button", { name: "Als PDF herunterladen" }).click();
  expect(new URL((await asked).url()).searchParams.get("language")).toBe("de");
});
