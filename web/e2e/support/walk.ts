import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import type { Opened } from "../../src/api/wire.ts";
import { consentVersion } from "../../src/applicant/calls.ts";
import { galleryVersion } from "../../src/applicant/galleryVersion.ts";

/**
 * Somebody with a passport goes from their link to the last picture by the calls that the pages make, without a browser: for a test that
 * looks at what comes of it. The selfie is one picture. `gallery` answers the question whether the face may be compared with others,
 * where the workflow asks it.
 */
export async function walk(
  link: string,
  { front, selfie }: { front: string; selfie: string },
  gallery?: "given" | "declined",
): Promise<void> {
  const [url, secret] = link.split("/v/");
  const call = async (token: string, method: string, path: string, body: object) => {
    const form = body instanceof FormData;
    const answer = await fetch(`${url}/v1/applicant/${path}`, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(form ? {} : { "Content-Type": "application/json" }),
      },
      body: form ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
    return text;
  };
  const { token }: Opened = JSON.parse(await call("", "POST", "open", { link: secret }));
  const consent = (about: string, text_version: string, decision = "given") =>
    call(token, "POST", "consent", { decision, about, text_version, locale: "en" });
  await consent("biometrics", consentVersion.face);
  if (gallery) await consent("gallery", galleryVersion, gallery);
  await call(token, "PUT", "steps/choose", { document_kind: "passport", country: "UTO" });
  for (const [step, picture] of Object.entries({ document_front: front, selfie })) {
    const form = new FormData();
    form.set("attempt", `walk-${step}`);
    form.set("source", "file");
    form.set("picture", new Blob([readFileSync(picture)], { type: "image/jpeg" }), "picture.jpg");
    await call(token, "PUT", `steps/${step}`, form);
  }
}
