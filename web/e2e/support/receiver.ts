import { spawnSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { repoRoot } from "./fixtures.ts";

/** A webhook that arrived, as it was sent. */
export type Arrived = { headers: Record<string, string>; body: string };

/** A server on this machine that takes every webhook and answers 200. */
export class Receiver {
  readonly #server: Server;
  readonly #arrived: Arrived[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
        this.#arrived.push({ headers: Object.fromEntries(headers), body });
        response.end();
      });
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many webhooks of a type have arrived. */
  count(type: string): number {
    return this.#of(type).length;
  }

  /** The first webhook of a type, which it waits for. */
  async first(type: string): Promise<Arrived> {
    await expect.poll(() => this.count(type), { timeout: 60_000, message: `no webhook ${type}` }).toBeGreaterThan(0);
    return this.#of(type)[0] ?? { headers: {}, body: "" };
  }

  close(): void {
    this.#server.close();
  }

  #of(type: string): Arrived[] {
    return this.#arrived.filter(({ body }) => JSON.parse(body).type === type);
  }
}

/** What the library of the Standard Webhooks project says of a webhook: genuine or refused. */
export function verdict({ headers, body }: Arrived, secret: string): string {
  const run = spawnSync("node", ["verify.mjs"], {
    cwd: join(repoRoot, "e2e", "webhooks"),
    input: JSON.stringify({ secret, headers, body }),
    encoding: "utf8",
  });
  return run.stdout.trim() || run.stderr;
}
