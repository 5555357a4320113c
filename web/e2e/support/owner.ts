import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { sizes } from "./browser.ts";
import type { Server } from "./server.ts";

export const owner = { name: "Ida Lindqvist", email: "ida@bank.example", password: "a long sentence to sign in with" };

type Cookies = Exclude<BrowserContextOptions["storageState"], string | undefined>;

/** Makes the first account by the link that the server printed; its owner is signed in then. */
export async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(owner.name);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Create account" }).click();
}

const proof = 5 * 60_000; // half of what signing in counts for as a fresh proof of who one is

/** The owner of a server that several suites share: the account is made once, and each suite gets its cookies. */
export class Owner {
  readonly #browser: Browser;
  readonly #server: Server;
  #cookies: Cookies = { cookies: [], origins: [] };
  #since = 0;

  constructor(browser: Browser, server: Server) {
    this.#browser = browser;
    this.#server = server;
  }

  /** Makes the account. */
  setUp(): Promise<void> {
    return this.#by(async (page) => {
      await setUp(page, this.#server.setupLink);
      await page.getByRole("link", { name: /Review queue/ }).waitFor();
    });
  }

  /** What a context needs to be signed in, with a proof of who one is that still counts for minutes. */
  async signedIn(): Promise<{ storageState: Cookies }> {
    if (Date.now() - this.#since > proof)
      await this.#by(async (page) => {
        await page.goto(`${this.#server.url}/login`);
        await page.getByLabel("Email").fill(owner.email);
        await page.getByLabel("Password", { exact: true }).fill(owner.password);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("link", { name: /Review queue/ }).waitFor();
      });
    return { storageState: this.#cookies };
  }

  async #by(way: (page: Page) => Promise<void>): Promise<void> {
    const page = await this.#browser.newPage({ viewport: sizes.desktop, locale: "en-GB", reducedMotion: "reduce" });
    await way(page);
    this.#cookies = await page.context().storageState();
    this.#since = Date.now();
    await page.close();
  }
}
