import { Button } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { Refused } from "../../api/failure.ts";
import type { Problem } from "../../api/wire.ts";
import { detailText } from "../said.ts";
import { catalogueText, t } from "../words.ts";
import css from "./Failure.module.css";

export const titleOf = (error: unknown): string =>
  error instanceof Refused ? sentenceOf(error.problem) : t("app.failed");

/** One sentence in the console's language: the one that says more, where there is one. */
export const sentenceOf = (problem: Problem): string =>
  (problem.detail && detailText(problem.detail)) || catalogueText(problem.code, "title", problem.title);

/** What went wrong, what to do about it, and the number that the operator needs. */
export function Failure({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  const problem = error instanceof Refused ? error.problem : null;
  const again = () => {
    reset?.();
    void router.invalidate();
  };
  return (
    <section className={css.box}>
      <h1 className={css.title}>{problem ? catalogueText(problem.code, "title", problem.title) : t("app.failed")}</h1>
      {problem?.remedy && <p>{catalogueText(problem.code, "remedy", problem.remedy)}</p>}
      {problem?.request_id && <p className={css.small}>{t("app.request", { id: problem.request_id })}</p>}
      <Button onClick={again}>{t("app.retry")}</Button>
    </section>
  );
}

export function NotFound() {
  return (
    <section className={css.box}>
      <h1 className={css.title}>{t("session.not_found")}</h1>
      <Link to="/console/sessions" search={{}}>
        {t("sessions.title")}
      </Link>
    </section>
  );
}
