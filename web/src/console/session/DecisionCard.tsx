import type { ReactNode } from "react";
import type { SessionFile } from "../../api/wire.ts";
import { countryOf } from "../parts/country.ts";
import { Panel } from "../parts/Panel.tsx";
import { useReasons } from "../parts/reasons.ts";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { ruleName } from "../said.ts";
import { decisionLooks } from "../states.ts";
import { labelOf, t } from "../words.ts";
import { Assurance } from "./Assurance.tsx";
import css from "./DecisionCard.module.css";

const nameOf = (file: SessionFile, id: string): string => file.members.find((one) => one.id === id)?.name || id;

/** The notice of a document that was read to be another than the applicant said. Nothing was left unchecked by that. */
const notAsSaid = "document_not_as_said";

const documentOf = (kind: string, country: string): string =>
  [labelOf("kind", kind), countryOf(country)].filter(Boolean).join(", ");

/** The newest decision with its reasons and its rule, and what was not checked. */
export function DecisionCard({ file, acts }: { file: SessionFile; acts: ReactNode }) {
  const { name, reviewer } = useReasons();
  const decision = file.decisions[0];
  const all =
    file.report?.notices ?? (file.session.workflow.liveness_notice ? [file.session.workflow.liveness_notice] : []);
  const notices = all.filter((notice) => notice !== notAsSaid);
  const read = all.includes(notAsSaid) ? file.report?.document : undefined;
  return (
    <Panel
      title={t("decision.title")}
      tools={
        <>
          {decision && (
            <State shape={decisionLooks[decision.outcome].shape} filled>
              {t(decisionLooks[decision.outcome].word)}
            </State>
          )}
          {acts && <span className={css.acts}>{acts}</span>}
        </>
      }
    >
      <div className={css.body}>
        {decision ? (
          <>
            <p className={css.by}>
              {t("decision.by")} {decision.by === "policy" ? t("decision.by_policy") : nameOf(file, decision.by)} ·{" "}
              <Time iso={decision.decided_at} />
            </p>
            {decision.reasons.length > 0 && (
              <ul className={css.reasons}>
                {decision.reasons.map((reason) => (
                  <li key={`${reason.code}-${reason.claim}-${reason.step}`}>
                    <strong title={reason.code}>{name(reason.code)}</strong>: {reviewer(reason.code)}
                    {reason.confirmed && ` ${labelOf("confirmed", reason.confirmed)}`}
                  </li>
                ))}
              </ul>
            )}
            <Approvals of={file.case} />
            {decision.note && <blockquote className={css.said}>{decision.note}</blockquote>}
            {decision.assurance && <Assurance of={decision.assurance} />}
            {decision.by === "policy" && (
              <p className={css.rule}>
                {t("decision.rule")}: {ruleName(decision.rule)}
              </p>
            )}
          </>
        ) : (
          <p className={css.none}>{t("decision.none")}</p>
        )}
        {read?.said && (
          <p className={css.rule}>
            {t("decision.not_as_said", {
              said: documentOf(read.said.kind, read.said.country),
              read: documentOf(read.kind, read.issuer),
            })}
          </p>
        )}
        {notices.length > 0 && (
          <div className={css.notice}>
            <strong>{t("decision.not_checked")}</strong>
            {notices.map((notice) => (
              <p key={notice}>{labelOf("notice", notice)}</p>
            ))}
          </div>
        )}
      </div>
    </Panel>
  );
}

/** How many of the two approvals that a workflow wants are there; nothing where it wants one, or it is over. */
function Approvals({ of }: { of: SessionFile["case"] }) {
  if (!of?.two_persons || of.state === "closed") return null;
  const { approved_by: first } = of;
  return (
    <p className={css.approvals}>
      <State shape={first ? "running" : "idle"}>
        {first
          ? t("decision.approvals_by", { name: first.name || t("case.somebody") })
          : t("decision.approvals", { n: 0 })}
      </State>
    </p>
  );
}
