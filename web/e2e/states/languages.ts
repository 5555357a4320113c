import type { Key, Words } from "../../src/i18n/words.ts";
import { wordsOf } from "../support/words.ts";
import { stop } from "./back.ts";
import type { Shown, State } from "./state.ts";
import {
  asking,
  at,
  blurred,
  card,
  choose,
  countries,
  country,
  ended,
  flow,
  front,
  live,
  noCamera,
  opened,
  peek,
  peeked,
  press,
  start,
  task,
  type,
  unguided,
} from "./steps.ts";

/** A text of a language up to its first place: what a button or a heading begins with. */
export const said = (words: Words, key: Key): string => {
  const text = words[key];
  return (typeof text === "string" ? text : text.other).split("{")[0] ?? "";
};

const ar = wordsOf("ar");
const arabic = (key: Key) => said(ar, key);
const missed = { code: "liveness.challenge_missed", step: "selfie", title: "", remedy: "" } as const;
const inArabic = { locale: "ar" };
const open = press(arabic("capture.camera"));

const brand = (colour: string, logo = "") => `new MutationObserver((_, watch) => {
  if (!document.head) return;
  const meta = document.createElement("meta");
  meta.name = "bonafide-brand";
  meta.content = ${JSON.stringify(
    JSON.stringify({ colour, logo, support: "https://bank.example/help", privacy: "https://bank.example/privacy" }),
  )};
  document.head.append(meta);
  watch.disconnect();
}).observe(document, { childList: true, subtree: true });`;

/** Screens in other languages than English and in the colours of an operator: other alphabets, everything from right to left. */
export const languageStates: State[] = [
  start("brand-start", { [peek]: { json: peeked } }, /Verify your identity for Harbour Bank/, {
    before: brand("#c2185b"),
  }),
  start("brand-pale", { [peek]: { json: peeked } }, /Verify your identity for Harbour Bank/, {
    before: brand("#ffe066"),
  }),
  start(
    "german-start",
    { [peek]: { json: { ...peeked, locale: "de" } } },
    /Bestätigen Sie Ihre Identität für Harbour Bank/,
    { locale: "en-GB" },
  ),
  start("ukrainian-start", { [peek]: { json: { ...peeked, locale: "" } } }, /Підтвердьте свою особу для Harbour Bank/, {
    locale: "uk-UA",
  }),
  start("chinese-start", { [peek]: { json: { ...peeked, locale: "" } } }, /为 Harbour Bank 验证您的身份/, {
    locale: "zh-CN",
  }),
  flow("chinese-consent", task({}), /面部与证件/, { locale: "zh-CN" }),
  flow("ukrainian-again", { ...live(), attempts_left: 2, problem: missed }, /залишилося 2 спроби/, { locale: "uk-UA" }),
  start("arabic-start", { [peek]: { json: { ...peeked, locale: "" } } }, /تحقق من هويتك لصالح/, inArabic),
  flow("arabic-consent", task({}), arabic("consent.title"), inArabic),
  flow("arabic-country", country, /المملكة المتحدة/, { ...inArabic, api: countries() }),
  flow("arabic-country-refused", country, /لا تُقبل الوثائق هنا/, {
    ...inArabic,
    api: countries(),
    act: async (shown: Shown) => {
      await type(arabic("country.title"), "فرن")(shown);
      await shown.page.getByRole("option", { name: /فرنسا/ }).click();
    },
  }),
  flow("chinese-country", country, /德国/, { locale: "zh-CN", api: countries() }),
  flow("german-consent-optional", task({ face_optional: true }), /Ihr Gesicht/, { locale: "de-DE" }),
  flow("ukrainian-stop-optional", { ...front, face_optional: true }, /без мого обличчя/, {
    locale: "uk-UA",
    act: stop("Більше", "Зупинити"),
  }),
  flow(
    "brand-consent-declined",
    ended("cancelled", { problem: { code: "consent.declined", step: "consent", title: "", remedy: "" } }),
    /Get help from Harbour Bank/,
    { before: `${opened} ${brand("#c2185b")}` },
  ),
  flow("arabic-choose", task({ step: "choose", position: 2 }), arabic("choose.title"), inArabic),
  flow("arabic-intro", card, arabic("front.title.id_card"), inArabic),
  flow("arabic-camera", front, arabic("camera.hint.passport"), { ...inArabic, before: unguided, act: open }),
  flow("arabic-camera-denied", front, arabic("blocked.denied.title"), {
    ...inArabic,
    before: noCamera("NotAllowedError"),
    act: open,
  }),
  flow("arabic-live-intro", live(), arabic("live.title"), inArabic),
  flow("arabic-live-left", asking("left"), arabic("live.move.left"), {
    ...inArabic,
    act: async (shown: Shown) => {
      await open(shown);
      await press(arabic("live.begin"))(shown);
    },
  }),
  flow("arabic-again", front, arabic("front.title.passport"), {
    ...inArabic,
    api: at(
      { ...front, attempts_left: 2 },
      { "PUT /v1/applicant/steps/document_front": { status: 422, json: blurred } },
    ),
    act: async (shown: Shown) => {
      await choose("document")(shown);
      await press(arabic("review.use"))(shown);
      await shown.page.getByText("الصورة غير واضحة").waitFor();
    },
  }),
  flow("arabic-sending", front, arabic("sending.title"), {
    ...inArabic,
    api: at(front, { "PUT /v1/applicant/steps/document_front": { hang: true } }),
    act: async (shown: Shown) => {
      await choose("document")(shown);
      await press(arabic("review.use"))(shown);
    },
  }),
  flow("arabic-waiting", ended("wait"), arabic("wait.title"), inArabic),
  flow("arabic-verified", ended("approved"), arabic("approved.title"), inArabic),
  flow("arabic-stop", front, arabic("stop.title"), { ...inArabic, act: stop(arabic("app.more"), arabic("stop.open")) }),
];
