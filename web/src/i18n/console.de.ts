import app from "./console/de/app.json";
import audit from "./console/de/audit.json";
import cases from "./console/de/cases.json";
import catalogue from "./console/de/catalogue.json";
import details from "./console/de/details.json";
import developers from "./console/de/developers.json";
import door from "./console/de/door.json";
import editor from "./console/de/editor.json";
import insight from "./console/de/insight.json";
import mail from "./console/de/mail.json";
import reasons from "./console/de/reasons.json";
import retention from "./console/de/retention.json";
import review from "./console/de/review.json";
import screening from "./console/de/screening.json";
import seen from "./console/de/seen.json";
import sentences from "./console/de/sentences.json";
import session from "./console/de/session.json";
import sessions from "./console/de/sessions.json";
import start from "./console/de/start.json";
import team from "./console/de/team.json";
import trust from "./console/de/trust.json";
import workflows from "./console/de/workflows.json";
import type { CatalogueKey, ConsoleKey, SentenceKey } from "./console.ts";
import type { Dictionary } from "./translate.ts";

/** The console's texts in German, those of the server's catalogue, and the sentences that it writes. A key that lacks a text does not compile. */
export const germanWords = {
  ...app,
  ...audit,
  ...cases,
  ...catalogue,
  ...details,
  ...developers,
  ...door,
  ...editor,
  ...insight,
  ...mail,
  ...reasons,
  ...retention,
  ...review,
  ...screening,
  ...seen,
  ...sentences,
  ...session,
  ...sessions,
  ...start,
  ...team,
  ...trust,
  ...workflows,
} satisfies Dictionary<ConsoleKey | CatalogueKey | SentenceKey>;
