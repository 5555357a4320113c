import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../../api/wire.ts";
import { downloadJSON } from "../parts/download.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { State } from "../parts/State.tsx";
import { absolute, t } from "../words.ts";
import css from "./Audit.module.css";
import type { Checked } from "./proof.ts";
import { auditQueries } from "./queries.ts";

/** An entry's proof: how it is hashed, its path to the signed checkpoint, and what this browser computed of that. */
export function Proof({ entry }: { entry: AuditEntry }) {
  const { data, error } = useQuery(auditQueries.proof(entry.id));
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <p className={css.quiet}>{t("audit.proof.computing")}</p>;
  const { proof, checked } = data;
  return (
    <div className={css.proof}>
      <Verdict checked={checked} />
      <dl className={css.facts}>
        <dt>{t("audit.proof.entry")}</dt>
        <dd>
          <code>{proof.leaf}</code>
        </dd>
        <dt>{t("audit.proof.leaf")}</dt>
        <dd>
          <code>{proof.leaf_hash}</code>
        </dd>
        <dt>{t("audit.proof.path", { n: proof.hashes.length })}</dt>
        <dd>
          {proof.hashes.length === 0 ? (
            t("audit.proof.alone")
          ) : (
            <ol className={css.path}>
              {proof.hashes.map((hash) => (
                <li key={hash}>
                  <code>{hash}</code>
                </li>
              ))}
            </ol>
          )}
        </dd>
        <dt>{t("audit.proof.root")}</dt>
        <dd>
          <code>{proof.checkpoint.root}</code>
          <br />
          {t("audit.proof.checkpoint", { n: proof.checkpoint.size, at: absolute(proof.checkpoint.signed_at) })}
        </dd>
      </dl>
      <div className={css.acts}>
        <Button variant="default" size="compact-sm" onClick={() => downloadJSON(`${entry.id}.proof.json`, proof)}>
          {t("audit.proof.download")}
        </Button>
        <span className={css.quiet}>{t("audit.proof.offline")}</span>
      </div>
    </div>
  );
}

/** What the computing came to, each part with its own word. */
function Verdict({ checked }: { checked: Checked | null }) {
  if (!checked) return <State shape="idle">{t("audit.verdict.none")}</State>;
  const { path, signature } = checked;
  return (
    <p className={css.verdict} role="status">
      <State shape={path ? "pass" : "fail"}>{t(path ? "audit.verdict.path" : "audit.verdict.no_path")}</State>
      {signature === null ? (
        <State shape="idle">{t("audit.verdict.unsigned")}</State>
      ) : (
        <State shape={signature ? "pass" : "fail"}>
          {t(signature ? "audit.verdict.signed" : "audit.verdict.not_signed")}
        </State>
      )}
    </p>
  );
}
