import type { SessionFile } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { Panel } from "../parts/Panel.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { absolute, catalogueText, labelOf, t } from "../words.ts";
import css from "./ChipPanel.module.css";
import { type Chip, type ChipIssuer, type ChipReason, chipOf } from "./chip.ts";
import { checksOf } from "./file.ts";

/** What the chip of the document proves, what it does not, and by whom. What was not checked never looks like what has passed. */
export function ChipPanel({ file }: { file: SessionFile }) {
  const chip = chipOf(file);
  if (!chip) return null;
  const { found } = chip;
  const suspected = checksOf(file).some(
    ({ kind, finding }) => kind === "chip.authentic" && finding?.outcome === "fail",
  );
  if (!found) {
    return (
      <Panel title={t("chip.title")}>
        <p className={css.none}>{t(chip.artifact.present ? "chip.not_yours" : "chip.not_looked")}</p>
      </Panel>
    );
  }
  return (
    <Panel title={t("chip.title")}>
      <dl className={css.answers}>
        {answersOf(found, suspected).map(({ name, shape, word }) => (
          <div key={name}>
            <dt>{t(`chip.${name}`)}</dt>
            <dd>
              <State shape={shape}>{labelOf(`chip.${name}`, word)}</State>
            </dd>
          </div>
        ))}
      </dl>
      <Reasons title={t("chip.refusals")} of={found.refusals} />
      <Reasons title={t("chip.notes")} of={found.notes} />
      <Signed found={found} />
      <Path path={found.path} />
      {found.anchor ? (
        <p className={css.anchor}>
          {t("chip.anchor", {
            country: found.anchor.country,
            source: found.anchor.source || t("chip.anchor_unsaid"),
            at: absolute(found.anchor.accepted_at),
          })}
        </p>
      ) : (
        found.missing && (
          <p className={css.anchor}>
            {t("chip.missing")} <strong>{found.missing}</strong>
          </p>
        )
      )}
    </Panel>
  );
}

type Answer = { name: "authentic" | "copy" | "revocation"; shape: Shape; word: string };

/** The three questions, each with an answer of its own. What is not proved looks wrong only where a check found it to be. */
function answersOf(found: Chip, suspected: boolean): Answer[] {
  const proof = found.copy_proof === "chip_authentication" ? "agreed" : "excluded";
  const why = found.has_key ? (found.asked ? "unproved" : "unasked") : "no_key";
  return [
    {
      name: "authentic",
      shape: found.authentic ? "pass" : suspected ? "fail" : "refer",
      word: found.authentic ? "yes" : "no",
    },
    { name: "copy", shape: found.not_a_copy ? "pass" : "refer", word: found.not_a_copy ? proof : why },
    revoked[found.revocation] ?? { name: "revocation", shape: "refer", word: "not_checked" },
  ];
}

const revoked: Record<string, Answer> = {
  good: { name: "revocation", shape: "pass", word: "good" },
  revoked: { name: "revocation", shape: "fail", word: "revoked" },
};

export function Reasons({ title, of }: { title: string; of: ChipReason[] }) {
  if (of.length === 0) return null;
  return (
    <div className={css.reasons}>
      <h3>{title}</h3>
      <ul>
        {of.map(({ code, says }) => (
          <li key={code + says}>
            {catalogueText(code, "title", says)} <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How and when the data was signed, and which files of the chip it covers. */
function Signed({ found }: { found: Chip }) {
  return (
    <dl className={css.facts}>
      <div>
        <dt>{t("chip.read_by")}</dt>
        <dd>{t(found.relayed ? "chip.read_by.server" : "chip.read_by.app")}</dd>
      </div>
      <div>
        <dt>{t("chip.checked_at")}</dt>
        <dd>
          <Time iso={found.checked_at} />
        </dd>
      </div>
      <div>
        <dt>{t("chip.signed_at")}</dt>
        <dd>{found.signed_at ? <Time iso={found.signed_at} /> : t("chip.signed_unsaid")}</dd>
      </div>
      {found.signature && (
        <div>
          <dt>{t("chip.signature")}</dt>
          <dd>{found.signature}</dd>
        </div>
      )}
      {found.groups.length > 0 && (
        <div>
          <dt>{t("chip.groups", { digest: found.digest })}</dt>
          <dd>
            <ul className={css.groups}>
              {found.groups.map(({ name, state }) => (
                <li key={name} data-state={state}>
                  <strong>{name}</strong> {labelOf("chip.group", state)}
                </li>
              ))}
            </ul>
          </dd>
        </div>
      )}
      {found.zone.length > 0 && (
        <div>
          <dt>{t("chip.zone")}</dt>
          <dd className={css.zone}>
            {found.zone.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may read the same
              <p key={i}>{line}</p>
            ))}
            {!found.authentic && <span className={css.soft}>{t("chip.zone_unproved")}</span>}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The certificates from the signer up to the anchor. */
export function Path({ path }: { path: ChipIssuer[] }) {
  if (path.length === 0) return null;
  return (
    <div className={css.reasons}>
      <h3>{t("chip.path")}</h3>
      <ol className={css.path}>
        {path.map((one) => (
          <li key={one.sha256}>
            <strong>{one.subject}</strong>
            <span>
              {t("chip.certificate", {
                key: one.key,
                from: one.not_before.slice(0, 10),
                to: one.not_after.slice(0, 10),
              })}
            </span>
            <code>{one.sha256}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}
