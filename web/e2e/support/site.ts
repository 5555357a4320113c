import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".json": "application/json",
};

const shared =
  "default-src 'none'; script-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export type Site = { url: string; close: () => Promise<void> };

/**
 * The built apps behind the routes and the policy that the server gives them, without any API: the screens are then
 * shown with answers of our own. A page that breaks the policy breaks its test.
 */
export async function serveDist(dist: string): Promise<Site> {
  const server: Server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const page = /^\/(v|verify)\//.test(path)
      ? "applicant"
      : /^\/(setup|login|join|forgot|reset|console)(\/|$)/.test(path)
        ? "console"
        : "";
    try {
      if (page) {
        const nonce = randomBytes(16).toString("base64");
        const style = page === "console" ? `style-src 'self' 'nonce-${nonce}'` : "style-src 'self'";
        response.setHeader("Content-Security-Policy", `${shared}; ${style}`);
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        response.end(readFileSync(join(dist, page, "index.html"), "utf8").replaceAll("__CSP_NONCE__", nonce));
        return;
      }
      if (!path.startsWith("/assets/")) throw new Error("no such page");
      response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
      response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"); // a worker's own
      response.end(readFileSync(join(dist, path)));
    } catch {
      response.statusCode = 404;
      response.end("not found");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { url: `http://localhost:${port}`, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
