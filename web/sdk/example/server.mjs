// A shop's server, in full: it makes the session, keeps which of its customers it belongs to, and asks the API what became of it.
//   BONAFIDE_URL=http://localhost:8080 BONAFIDE_KEY=bf_test_… node sdk/example/server.mjs
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const {
  BONAFIDE_URL = "http://localhost:8080",
  BONAFIDE_KEY = "",
  WORKFLOW = "default",
  PERSONA,
  PORT = "3000",
} = process.env;
const sessions = new Map(); // what the shop calls it → the session's id and link

async function api(method, path, body) {
  const answer = await fetch(BONAFIDE_URL + path, {
    method,
    headers: { Authorization: `Bearer ${BONAFIDE_KEY}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const files = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/page.js": ["page.js", "text/javascript"],
  "/page.css": ["page.css", "text/css"],
  "/bonafide/index.js": ["../dist/index.js", "text/javascript"],
  "/bonafide/bonafide.js": ["../dist/bonafide.js", "text/javascript"],
};

async function answer(request, response) {
  const path = new URL(request.url, "http://shop.example").pathname;
  const json = (value) => response.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
  if (request.method === "POST" && path === "/verifications") {
    const reference = randomUUID();
    const session = await api("POST", "/v1/sessions", {
      workflow: WORKFLOW,
      external_reference: reference,
      ...(PERSONA ? { claimed: { document_number: `persona:${PERSONA}` } } : {}),
    });
    sessions.set(reference, { id: session.id, link: session.url });
    return json({ reference, link: session.url });
  }
  const reference = /^\/verifications\/([\w-]+)$/.exec(path)?.[1];
  if (reference && sessions.has(reference)) {
    const { id, link } = sessions.get(reference);
    const { state, followed_by } = await api("GET", `/v1/sessions/${id}`);
    if (followed_by) sessions.set(reference, { id: followed_by, link }); // begun again with another document, under the same link
    // This is the verdict. What the browser says is none. A page that is loaded again goes on with the link.
    return json({ state, link });
  }
  const file = files[path];
  if (!file) return response.writeHead(404).end();
  response.setHeader("Content-Type", file[1]);
  // What a page needs that has policies of its own: to frame that origin, and to lend it the camera.
  response.setHeader("Content-Security-Policy", `default-src 'self'; frame-src ${BONAFIDE_URL}`);
  response.setHeader("Permissions-Policy", `camera=(self "${BONAFIDE_URL}")`);
  response.end(readFileSync(new URL(file[0], import.meta.url)));
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    response.writeHead(502).end();
  });
}).listen(Number(PORT), "127.0.0.1", () => process.stdout.write(`The shop is at http://127.0.0.1:${PORT}\n`));
