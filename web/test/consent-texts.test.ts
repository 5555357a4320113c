// @vitest-environment node
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { consentVersion } from "../src/applicant/calls.ts";
import { galleryVersion } from "../src/applicant/galleryVersion.ts";
import gallery from "../src/i18n/gallery.json";
import { loadWords } from "../src/i18n/languages.ts";

// A consent keeps the version of the text and the language in which it was given, so a text must not change under its version.
// The digest of each is kept in consent-texts.json; `npm run consent` adds those of a new version or language, and changes none.
const file = "test/consent-texts.json";
const shown: Record<string, RegExp> = {
  [consentVersion.face]: /^consent\.(?!document_|faceless$|note_optional$|reconsider$)/,
  [consentVersion.optional]: /^consent\.(?!document_|decline$|note$|reconsider$)/,
  [consentVersion.document]: /^consent\.(?!title$|why$|faceless$|note_optional$|reconsider$)/,
};

/** The question about a gallery has words of its own, and the rest from the consent page. */
const ofGallery = /^consent\.(agree|decline|why_title|kept_title)$/;

type Digests = Record<string, Record<string, string>>;

async function digests(): Promise<Digests> {
  const found: Digests = {};
  for (const [version, keys] of Object.entries(shown)) {
    const languages: Record<string, string> = {};
    for (const [language, load] of Object.entries(loadWords)) {
      const digest = createHash("sha256");
      for (const [key, text] of Object.entries(await load())) if (keys.test(key)) digest.update(`${key} ${text}\n`);
      languages[language] = digest.digest("hex").slice(0, 16);
    }
    found[version] = languages;
  }
  const asked: Record<string, string> = {};
  for (const [language, load] of Object.entries(loadWords)) {
    const digest = createHash("sha256");
    for (const [key, text] of Object.entries(await load())) if (ofGallery.test(key)) digest.update(`${key} ${text}\n`);
    digest.update(JSON.stringify(gallery[language as keyof typeof gallery]));
    asked[language] = digest.digest("hex").slice(0, 16);
  }
  found[galleryVersion] = asked;
  return found;
}

it("a consent text that has changed has a new version", async () => {
  const now = await digests();
  const kept: Digests = JSON.parse(readFileSync(file, "utf8"));
  for (const [version, languages] of Object.entries(now)) now[version] = { ...languages, ...kept[version] };
  if (process.env.UPDATE_CONSENT) writeFileSync(file, `${JSON.stringify({ ...kept, ...now }, null, 2)}\n`);
  const recorded: Digests = JSON.parse(readFileSync(file, "utf8"));
  for (const [version, languages] of Object.entries(await digests()))
    expect([version, languages]).toEqual([version, recorded[version]]);
});
