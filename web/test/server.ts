import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import type { Peeked, Problem, Task } from "../src/api/wire.ts";

/** A server of our own making for the screens: each test says what it answers. */
export const server = setupServer();

export const session = "ses_06c1q2m3n4p5r6s7t8v9w0x1y2";

export const peeked: Peeked = {
  brand: "Harbour Bank",
  mode: "live",
  state: "created",
  steps: ["consent", "choose", "document_front", "document_back", "selfie"],
  accepts: ["passport", "id_card"],
  locale: "en",
  expires_at: "2026-11-23T11:30:00Z",
  handoff: false,
  continues: "",
  hint: "",
};

export const task = (more: Partial<Task> = {}): Task => ({
  state: "step",
  session,
  step: "consent",
  takes: "",
  challenge: null,
  position: 1,
  total: 4,
  document_kind: null,
  country: "",
  asks_country: false,
  accepts: ["passport", "id_card"],
  face_optional: false,
  live_capture: false,
  chip: "off",
  chip_sent: false,
  wallet: "off",
  wallet_counts: "",
  wallet_instead: false,
  wallet_age: 0,
  attempts_left: 3,
  another_document: false,
  back: "",
  problem: null,
  deadline: null,
  return_url: "",
  mail_hint: "",
  notices: ["liveness_not_required"],
  ...more,
});

export const problem = (code: Problem["code"], status: number, title: string = code, remedy = "Do this."): Problem => ({
  type: `/docs/errors#${code}`,
  code,
  title,
  remedy,
  status,
  severity: status === 422 ? "retry" : "",
  request_id: "req_1",
});

export const refuse = (it: Problem) =>
  HttpResponse.json(it, { status: it.status, headers: { "Content-Type": "application/problem+json" } });

const at = (path: string) => `*/v1/applicant/${path}`;

export const say = {
  task: (now: Task) => http.get(at("task"), () => HttpResponse.json(now)),
  issuers: () =>
    http.get(at("countries"), () =>
      HttpResponse.json({
        items: [
          { code: "FRA", region: "FR", name: "France", accepted: false },
          { code: "D", region: "DE", name: "Germany", accepted: true },
          { code: "NLD", region: "NL", name: "Netherlands (Kingdom of the)", accepted: true },
          { code: "NOR", region: "NO", name: "Norway", accepted: true },
          { code: "UTO", region: "", name: "Utopia", accepted: true },
        ],
      }),
    ),
  peek: (answer: Peeked | Problem) =>
    http.post(at("peek"), () => ("code" in answer ? refuse(answer) : HttpResponse.json(answer))),
  open: (now: Task) => http.post(at("open"), () => HttpResponse.json({ token: "token", key: "key", task: now })),
  resume: (answer?: Problem) =>
    http.post(at("resume"), () => (answer ? refuse(answer) : HttpResponse.json({ session, token: "next" }))),
  /** One event of live updates, then silence. */
  events: (now: Task) =>
    http.get(at("events"), () => {
      const body = new ReadableStream({
        start: (stream) =>
          stream.enqueue(new TextEncoder().encode(`id: evt_1\nevent: task\ndata: ${JSON.stringify(now)}\n\n`)),
      });
      return new HttpResponse(body, { headers: { "Content-Type": "text/event-stream" } });
    }),
};
