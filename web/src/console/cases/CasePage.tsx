import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Refused } from "../../api/failure.ts";
import type { CaseFile, SessionFile } from "../../api/wire.ts";
import { Failure, NotFound } from "../parts/Failure.tsx";
import { client, queries } from "../queries.ts";
import css from "../session/SessionPage.module.css";
import { Shown, useFollowing } from "../session/SessionPage.tsx";
import { t } from "../words.ts";
import { whyNoCorrection } from "./can.ts";
import { DecisionBar } from "./DecisionBar.tsx";
import { type Correction, calls, caseQueries, refresh } from "./queries.ts";

/** A case: the page of its session, and below it what a reviewer can do. */
export function CasePage() {
  const { id } = useParams({ from: "/console/cases/$id" });
  const { data: found, error } = useQuery(caseQueries.one(id));
  if (error instanceof Refused && error.problem.status === 404) return <NotFound />;
  if (error && !found) return <Failure error={error} />;
  if (!found) return <p className={css.quiet}>{t("app.loading")}</p>;
  return <Evidenced key={id} found={found} />;
}

function Evidenced({ found }: { found: CaseFile }) {
  const session = found.case.session.id;
  const { data: file, error } = useQuery(queries.session(session));
  const alive = useFollowing(session);

  // Whatever happens to the session may have happened to its case.
  useEffect(() => {
    if (file) void client.invalidateQueries({ queryKey: ["case", found.case.id] });
  }, [file, found.case.id]);

  if (error && !file) return <Failure error={error} />;
  if (!file) return <p className={css.quiet}>{t("app.loading")}</p>;
  return <Page found={found} file={file} alive={alive} />;
}

function Page({ found, file, alive }: { found: CaseFile; file: SessionFile; alive: boolean }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const navigate = useNavigate();
  const router = useRouter();
  const { mode, id } = found.case;
  const search = mode === "live" ? { mode } : {};

  const next = async (): Promise<boolean> => {
    try {
      const { id: to } = await calls.next(mode, id);
      void client.invalidateQueries({ queryKey: ["cases"] });
      await navigate({ to: "/console/cases/$id", params: { id: to } });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 404) return false;
      throw error;
    }
  };
  const no = whyNoCorrection({ case: found.case, me, file, steps: found.steps });
  const { version, report_digest } = found.case;
  const correct = async (correction: Correction) => {
    try {
      await calls.correct(id, { version, report_digest }, correction);
    } finally {
      refresh(id, found.case.session.id);
    }
  };
  return (
    <Shown
      file={file}
      alive={alive}
      correcting={{ blocked: no && t(no), send: correct }}
      crumbs={
        <Link to="/console/cases" search={search}>
          {t("cases.title")}
        </Link>
      }
      bar={
        <DecisionBar
          found={found}
          file={file}
          me={me}
          onNext={next}
          onBack={() => router.history.back()}
          onQueue={() => void navigate({ to: "/console/cases", search })}
        />
      }
    />
  );
}
