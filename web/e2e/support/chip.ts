import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { built, repoRoot, specimen } from "./fixtures.ts";
import { binary, freePort, type Server } from "./server.ts";

/** A passport with alder's portrait, and a file with the lines of its zone. */
export function zonedPassport(): { front: string; selfie: string; zone: string } {
  const made = specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440", "-truth");
  const folder = dirname(made.front);
  const [, ...lines] = (readFileSync(join(folder, "truth.tsv"), "utf8").trim().split("\n").at(-1) ?? "").split("\t");
  const zone = join(folder, "zone.txt");
  writeFileSync(zone, `${lines.filter(Boolean).join("\n")}\n`);
  return { ...made, zone };
}

type Stops = { port: number; stop: () => void };

/** `bonafide chip play`: the chip of test mode in a virtual reader. */
export async function playChip(zone: string, kind = "genuine"): Promise<Stops> {
  const port = await freePort();
  const child = spawn(binary, ["chip", "play", "--listen", `127.0.0.1:${port}`, "--zone", zone, "--kind", kind]);
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`the chip ended with ${code}`)));
  });
  return { port, stop: () => child.kill("SIGTERM") };
}

/** A reader that takes its time for each answer, as the air between a phone and a chip does. */
export async function slowly(port: number, delay: number): Promise<Stops> {
  const proxy = createServer((phone) => {
    const card = connect(port, "127.0.0.1");
    phone.pipe(card);
    card.on("data", (answer) => setTimeout(() => phone.write(answer), delay));
    card.on("close", () => phone.destroy());
    phone.on("close", () => card.destroy());
    for (const side of [phone, card]) side.on("error", () => undefined);
  });
  const at = await freePort();
  await new Promise<void>((resolve) => proxy.listen(at, "127.0.0.1", resolve));
  return { port: at, stop: () => proxy.close() };
}

/** Runs the reference client as the integrator's app, and returns what it says. */
export function relay(server: Server, token: string, port: number): Promise<{ code: number | null; said: string }> {
  const client = spawn(
    built("chiprelay", "./e2e/chiprelay"),
    ["--server", server.url, "--reader", `127.0.0.1:${port}`],
    {
      cwd: repoRoot,
      env: { ...process.env, BONAFIDE_TOKEN: token },
    },
  );
  let said = "";
  for (const stream of [client.stdout, client.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  return new Promise((resolve) => client.once("exit", (code) => resolve({ code, said })));
}

/** The token that the page calls with: an app that shows the page has it. */
export function tokenOf(page: Page): () => string {
  let token = "";
  page.on("request", (request) => {
    const [, found] = /^Bearer (.+)$/.exec(request.headers().authorization ?? "") ?? [];
    if (found) token = found;
  });
  return () => token;
}
