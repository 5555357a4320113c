import type { SessionFile } from "../../api/wire.ts";
import { labelOf, t } from "../words.ts";
import css from "./DecisionCard.module.css";

type Of = NonNullable<SessionFile["decisions"][number]["assurance"]>;

/** The assurance level of a decision: what proves it, and what the next level asks for. */
export function Assurance({ of }: { of: Of }) {
  return (
    <details className={css.assurance}>
      <summary>
        {t("assurance.level")}: <strong>{labelOf("assurance", of.level)}</strong>
      </summary>
      {of.met.length > 0 && <Proofs title={t("assurance.met")} of={of.met} />}
      {of.missing.length > 0 && <Proofs title={t("assurance.missing")} of={of.missing} />}
    </details>
  );
}

function Proofs({ title, of }: { title: string; of: Of["met"] }) {
  return (
    <>
      <p className={css.by}>{title}</p>
      <ul className={css.reasons}>
        {of.map((proof) => (
          <li key={proof}>{labelOf("proof", proof)}</li>
        ))}
      </ul>
    </>
  );
}
