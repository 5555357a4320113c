import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { nameOf } from "../src/console/parts/reasons.ts";
import { applicantProblems } from "../src/i18n/problems.ts";

const named: Record<string, string> = JSON.parse(readFileSync("src/i18n/console/reasons.json", "utf8"));

it("each reason that an applicant can be told has a short name for reviewers, and no two share one", () => {
  const families = /^(capture|document|face|liveness|person)\./;
  const never = new Set(["capture.asked_again", "capture.attempt_reused", "capture.from_file", "capture.out_of_order"]);
  const lacking = applicantProblems.filter(
    (code) => families.test(code) && !never.has(code) && named[`reason.${code}`] === undefined,
  );
  expect(lacking).toEqual([]);
  const names = Object.values(named);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.length > 45 || name.endsWith("."))).toEqual([]);
});

it("a reason without a short name is called what the catalogue calls it", () => {
  expect(nameOf("status.revoked", "The issuer revoked the credential.")).toBe("The issuer revoked the credential");
  expect(nameOf("brand.new")).toBe("brand.new");
  expect(nameOf("document.screen_copy", "The document needs a second look.")).toBe("Screen copy");
});
