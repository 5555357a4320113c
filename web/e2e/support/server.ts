import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repoRoot } from "./fixtures.ts";

/** The server to test: BONAFIDE_BIN, or what `make build` leaves. */
export const binary = process.env.BONAFIDE_BIN ?? join(repoRoot, "bin", "bonafide");

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}

export type Server = {
  url: string;
  setupLink: string;
  apiKey: string;
  tryLink: string;
  stop: () => Promise<void>;
  log: () => string;
};

/** Starts `bonafide serve --dev` with an empty data directory of its own and further flags, and reads what it prints. */
export async function serve(...more: string[]): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), "bonafide-e2e-"));
  const port = await freePort();
  const args = ["--dev", "--data-dir", data, "--listen", `127.0.0.1:${port}`, ...more];
  return start(`http://localhost:${port}`, args, () => rmSync(data, { recursive: true, force: true }));
}

/** Starts `bonafide serve` with these flags, and waits until it answers at the address. `after` runs once it has ended. */
export async function start(url: string, args: readonly string[], after: () => void = () => {}): Promise<Server> {
  if (!existsSync(binary))
    throw new Error(`There is no server at ${binary}: run make build, or name one with BONAFIDE_BIN.`);
  const child: ChildProcess = spawn(binary, ["serve", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 10_000))]);
    child.kill("SIGKILL");
    after();
  };
  for (let waited = 0; ; waited += 200) {
    if (child.exitCode !== null || waited > 60_000) {
      await stop();
      throw new Error(`the server did not start:\n${out}`);
    }
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const printed = (pattern: RegExp): string => pattern.exec(out)?.[0] ?? "";
  return {
    url,
    setupLink: printed(/http:\S+\/setup#token=\S+/),
    apiKey: printed(/bf_test_\S+/),
    tryLink: printed(/http:\S+\/v\/\S+/),
    stop,
    log: () => out,
  };
}
