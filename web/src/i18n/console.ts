import type catalogue from "./catalogue.json";
import app from "./console/app.json";
import audit from "./console/audit.json";
import cases from "./console/cases.json";
import developers from "./console/developers.json";
import door from "./console/door.json";
import editor from "./console/editor.json";
import insight from "./console/insight.json";
import mail from "./console/mail.json";
import reasons from "./console/reasons.json";
import retention from "./console/retention.json";
import review from "./console/review.json";
import screening from "./console/screening.json";
import seen from "./console/seen.json";
import session from "./console/session.json";
import sessions from "./console/sessions.json";
import start from "./console/start.json";
import team from "./console/team.json";
import trust from "./console/trust.json";
import workflows from "./console/workflows.json";
import type sentences from "./sentences.json";
import type { Dictionary } from "./translate.ts";

/** The console's texts, by key. Problems and reasons are not among them: the server's catalogue says them in English. */
export const consoleWords = {
  ...app,
  ...audit,
  ...cases,
  ...developers,
  ...door,
  ...editor,
  ...insight,
  ...reasons,
  ...mail,
  ...retention,
  ...review,
  ...screening,
  ...seen,
  ...session,
  ...sessions,
  ...start,
  ...team,
  ...trust,
  ...workflows,
} satisfies Dictionary<string>;

export type ConsoleKey = keyof typeof consoleWords;

/** The texts of the server's catalogue that a language other than English has to have. */
export type CatalogueKey = keyof typeof catalogue;

/** The sentences of health checks, workflows and checks that a language other than English has to have. */
export type SentenceKey = keyof typeof sentences;
