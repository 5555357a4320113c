import { afterEach, expect, test, vi } from "vitest";
import { api } from "../src/api/client.ts";
import { repeatAfterProof, settle } from "../src/console/door/proof.ts";

const stepUp = () =>
  new Response(JSON.stringify({ code: "auth.step_up", title: "Please confirm your identity." }), {
    status: 403,
    headers: { "Content-Type": "application/problem+json" },
  });
const made = () =>
  new Response(JSON.stringify({ id: "inv_1" }), { status: 201, headers: { "Content-Type": "application/json" } });

repeatAfterProof();
afterEach(() => vi.unstubAllGlobals());

/** Sends an invitation to a server that wants a proof first; answers what was sent. */
async function invite(proved: boolean) {
  const sent: { url: string; body: string }[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push({ url: request.url, body: await request.text() });
    return sent.length === 1 ? stepUp() : made();
  });
  const call = api.POST("/v1/console/team/invitations", { body: { email: "zofia@bank.example", roles: ["reviewer"] } });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  settle(proved);
  const { response } = await call;
  return { sent, status: response.status };
}

test("the same call is sent again once it was shown who asks", async () => {
  const { sent, status } = await invite(true);
  expect(status).toBe(201);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test("a call fails as it did when the dialog is closed", async () => {
  const { sent, status } = await invite(false);
  expect(status).toBe(403);
  expect(sent).toHaveLength(1);
});
