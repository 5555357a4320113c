import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type LaunchOptions,
  type Page,
} from "@playwright/test";
import { filmed, nightly, type Size, sizes } from "./browser.ts";
import { type Camera, fakeCamera, results, webRoot } from "./fixtures.ts";
import { Owner } from "./owner.ts";
import { film } from "./reel.ts";
import { type Server, serve } from "./server.ts";
import { type Site, serveDist } from "./site.ts";

/** A browser's window of somebody's own, with its own storage. */
export type Visit = { context: BrowserContext; page: Page; complaints: string[]; close: () => Promise<void> };
export type Open = (size?: Size, more?: BrowserContextOptions & { from?: Browser }) => Promise<Visit>;

type OfTest = {
  /** By night the windows of a test are filmed under this name; "" for no film. */
  reel: string;
  /** Opens a window, which is closed when the test ends; Playwright photographs it before that where the test failed. */
  open: Open;
};

/** One of each for a worker, which runs one file after the other. What is not asked for is not started. */
type OfWorker = {
  /** What the worker's browser sees with its camera, once something was shown to it. */
  camera: Camera;
  /** `bonafide serve --dev`, which the worker's files share: each looks for its own sessions only. */
  server: Server;
  /** The account that the server's owner made, once. */
  owner: Owner;
  /** The built apps without a server. */
  site: Site;
};

const patient = { scope: "worker", timeout: 120_000 } as const;

export const test = base.extend<OfTest, OfWorker & { launchOptions: LaunchOptions }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
  camera: [({}, use, { parallelIndex }) => use(fakeCamera(`worker-${parallelIndex}`)), { scope: "worker" }],

  launchOptions: [
    ({ launchOptions, camera }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), filmed(camera.path)] }),
    { scope: "worker" },
  ],

  server: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const server = await serve();
      await use(server);
      await server.stop();
    },
    patient,
  ],

  owner: [
    async ({ browser, server }, use) => {
      const owner = new Owner(browser, server);
      await owner.setUp();
      await use(owner);
    },
    patient,
  ],

  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const site = await serveDist(join(webRoot, "dist"));
      await use(site);
      await site.close();
    },
    patient,
  ],

  reel: ["", { option: true }],

  open: async ({ browser, reel }, use) => {
    const visits: Visit[] = [];
    const films: (() => Promise<void>)[] = [];
    await use(async (size = "phone", { from = browser, ...more } = {}) => {
      const visit = await visited(from, { viewport: sizes[size], ...more });
      visits.push(visit);
      if (nightly && reel) films.push(await film(visit.page, join(results, "films", `${reel}-${visits.length}.webm`)));
      return visit;
    });
    for (const end of films) await end();
    for (const { close } of visits) await close();
  },
});

export async function visited(browser: Browser, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({
    locale: "en-GB",
    reducedMotion: "reduce",
    permissions: ["camera"],
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // The browser's own words about an answer that is a problem, which may be what a test is about.
    if (message.type() === "error" && !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text()))
      complaints.push(message.text());
  });
  const close = async () => {
    for (const one of context.pages()) await one.close(); // a page that is open when its context closes is photographed
    await context.close();
  };
  return { context, page, complaints, close };
}
