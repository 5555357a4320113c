import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import type { Challenge } from "../../src/api/wire.ts";
import { filmed, launch } from "./browser.ts";
import { pickCountry } from "./country.ts";
import { writeFilm } from "./film.ts";
import { generate, results, specimen } from "./fixtures.ts";
import type { Server } from "./server.ts";
import { playing } from "./states.ts";

const lead = 6; // seconds that the head is held straight before the run begins
const late = 0.3; // seconds by which a person follows what they see
const holder = "1"; // the seed of somebody who holds the phone so far away that the head is in the oval: in that of 3 it is a quarter too large

export const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
export const heading = (page: Page, name: string | RegExp, timeout = 90_000) =>
  page.getByRole("heading", { name }).waitFor({ timeout });

/** The document of the person whose head the films show. */
export const passport = () => specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440");

/**
 * A phone whose camera plays films, and the real server: the film of a head is made when the challenge is known, because nobody can
 * know it before. The browser is its own, for its camera plays one file (.y4m).
 */
export class Filming {
  readonly folder: string;
  readonly browser: Browser;
  readonly server: () => Server;
  /** How long the last film of a head is, which the camera shows over and over. */
  #seconds = 1;

  private constructor(folder: string, browser: Browser, server: () => Server) {
    this.folder = folder;
    this.browser = browser;
    this.server = server;
  }

  /** Films are kept in this folder of the results. */
  static async start(name: string, server: () => Server): Promise<Filming> {
    const folder = join(results, name);
    mkdirSync(folder, { recursive: true });
    return new Filming(folder, await launch(filmed(join(folder, "camera.y4m"))), server);
  }

  private get camera(): string {
    return join(this.folder, "camera.y4m");
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  async call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const { url, apiKey } = this.server();
    const answer = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answer.json();
  }

  /** Films a head that does what the challenge asks. */
  film(challenge: Challenge, name: string, ...flags: string[]): void {
    const dir = join(this.folder, name);
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    const asked = join(dir, "challenge.json");
    writeFileSync(asked, JSON.stringify(challenge));
    generate("-answer", asked, "-face", "alder", "-seed", holder, "-frames", "88", "-out", dir, ...flags);
    const times: number[] = JSON.parse(readFileSync(join(dir, "times.json"), "utf8"));
    const shown = times.map((time, i) => ({
      at: i === 0 ? 0 : lead * 1000 + time,
      picture: join(dir, `${String(i).padStart(3, "0")}.jpg`),
    }));
    this.#seconds = Math.ceil(lead + challenge.duration_ms / 1000 + 4);
    writeFilm(this.camera, shown, { seconds: this.#seconds, rate: 8 });
  }

  /** Shows one picture to the camera. */
  show(picture: string, rate = 8): void {
    writeFilm(this.camera, [{ at: 0, picture }], { seconds: rate === 8 ? 0.3 : 0.5, rate });
  }

  /** A session, and the challenge that its page is given in time. */
  async opened(
    page: Page,
    reference: string,
    workflow = "liveness",
  ): Promise<{ id: string; url: string; asked: () => Promise<Challenge> }> {
    let challenge: Challenge | undefined;
    page.on("response", async (response) => {
      if (!/\/v1\/applicant\/(task|steps|liveness)/.test(response.url()) || !response.ok()) return;
      const body = await response.json().catch(() => null);
      if (body?.challenge) challenge = body.challenge;
    });
    const session = await this.call("POST", "/v1/sessions", { external_reference: reference, workflow });
    const asked = async () => {
      await expect.poll(() => challenge !== undefined).toBe(true);
      if (!challenge) throw new Error("no challenge");
      return challenge;
    };
    return { id: String(session.id), url: String(session.url), asked };
  }

  /** From the link to the step that proves a live person; answers its challenge. */
  async begin(
    page: Page,
    reference: string,
    document = passport().front,
  ): Promise<{ id: string; challenge: Challenge }> {
    const { id, url, asked } = await this.opened(page, reference);
    await page.goto(url);
    await press(page, "Start");
    await press(page, "I agree");
    await pickCountry(page);
    await press(page, /Passport/);
    await heading(page, /photo page/);
    await page.locator('input[type="file"]').setInputFiles(document);
    await press(page, "Use this photo");
    await heading(page, "Quick check that it's really you");
    return { id, challenge: await asked() };
  }

  /** Waits for the moment of the film at which the head begins. A page that is ready too late waits until the film comes round again. */
  async filmBegins(page: Page): Promise<void> {
    await page.waitForFunction(
      ({ begins, late, seconds }) => {
        const since = ((document.querySelector("video")?.currentTime ?? 0) % seconds) - begins;
        return since >= 0 && since < late;
      },
      { begins: lead - late, late, seconds: this.#seconds },
      { polling: 20, timeout: 90_000 },
    );
  }

  /** Begins the run at the moment of the film at which the head does. */
  async run(page: Page): Promise<void> {
    await press(page, "Open the camera");
    await page.getByRole("button", { name: "I am ready" }).waitFor();
    await playing(page);
    await this.filmBegins(page);
    await press(page, "I am ready");
  }
}
