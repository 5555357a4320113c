import type { SessionFile } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import css from "../evidence/ChipPanel.module.css";
import { Path, Reasons } from "../evidence/ChipPanel.tsx";
import { checksOf } from "../evidence/file.ts";
import { Panel } from "../parts/Panel.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { absolute, labelOf, t } from "../words.ts";
import { type Wallet, type WalletCredential, walletOf } from "./wallet.ts";

/** What a wallet presented: what was asked and disclosed, what of it is proved, and by whom. */
export function WalletPanel({ file }: { file: SessionFile }) {
  const wallet = walletOf(file);
  if (!wallet) return null;
  const { found } = wallet;
  if (!found) {
    return (
      <Panel title={t("wallet.title")}>
        <p className={css.none}>{t(wallet.artifact.present ? "wallet.not_yours" : "wallet.not_looked")}</p>
      </Panel>
    );
  }
  const suspected = checksOf(file).some(({ kind, finding }) => kind === "wallet.valid" && finding?.outcome === "fail");
  return (
    <Panel title={t("wallet.title")}>
      <dl className={css.answers}>
        {answersOf(found, suspected).map(({ name, shape, word }) => (
          <div key={name}>
            <dt>{t(`wallet.${name}`)}</dt>
            <dd>
              <State shape={shape}>{labelOf(`wallet.${name}`, word)}</State>
            </dd>
          </div>
        ))}
      </dl>
      <Reasons title={t("wallet.refusals")} of={found.refusals} />
      <Reasons title={t("wallet.notes")} of={found.notes} />
      <Request found={found} />
      {found.credentials.map((one) => (
        <Credential key={one.id} credential={one} found={found} />
      ))}
    </Panel>
  );
}

type Answer = { name: "valid" | "holder" | "revocation"; shape: Shape; word: string };

/** The three questions, each with an answer of its own. Unknown never looks like good. */
function answersOf(found: Wallet, suspected: boolean): Answer[] {
  return [
    { name: "valid", shape: found.valid ? "pass" : suspected ? "fail" : "refer", word: found.valid ? "yes" : "no" },
    {
      name: "holder",
      shape: found.holder_bound ? "pass" : "refer",
      word: found.holder_bound ? (found.same_device ? "here" : "elsewhere") : "no",
    },
    revoked[found.revocation] ?? { name: "revocation", shape: "refer", word: "unknown" },
  ];
}

const revoked: Record<string, Answer> = {
  good: { name: "revocation", shape: "pass", word: "good" },
  revoked: { name: "revocation", shape: "fail", word: "revoked" },
};

/** Who asked, how, and for which request the holder signed. */
function Request({ found }: { found: Wallet }) {
  return (
    <dl className={css.facts}>
      <div>
        <dt>{t("wallet.checked_at")}</dt>
        <dd>
          <Time iso={found.checked_at} />
        </dd>
      </div>
      <div>
        <dt>{t("wallet.channel")}</dt>
        <dd>{labelOf("wallet.channel", found.channel)}</dd>
      </div>
      <div>
        <dt>{t("wallet.verifier")}</dt>
        <dd>
          <code>{found.verifier}</code>
        </dd>
      </div>
      <div>
        <dt>{t("wallet.transcript")}</dt>
        <dd>
          <code>{found.transcript}</code>
        </dd>
      </div>
      {found.ages.map(({ over, is }) => (
        <div key={over}>
          <dt>{t("wallet.age", { n: over })}</dt>
          <dd>{t(is ? "wallet.age_yes" : "wallet.age_no")}</dd>
        </div>
      ))}
    </dl>
  );
}

function Credential({ credential, found }: { credential: WalletCredential; found: Wallet }) {
  const asked = found.asked.find(({ id }) => id === credential.id)?.claims ?? [];
  const plain = (path: string) => path.replaceAll("/", ".").replace(/\[\d+\]$/, "");
  const disclosed = new Set(credential.disclosed.map(plain));
  const kept = asked.filter((claim) => !disclosed.has(claim));
  return (
    <>
      <dl className={css.facts}>
        <div>
          <dt>{t("wallet.type")}</dt>
          <dd>
            <code>{credential.type || t("wallet.unread")}</code> {credential.issuer}
          </dd>
        </div>
        <div>
          <dt>{t("wallet.dates")}</dt>
          <dd>
            {credential.signed ? absolute(credential.signed) : t("wallet.unread")} –{" "}
            {credential.valid_until ? absolute(credential.valid_until) : t("wallet.no_end")}
          </dd>
        </div>
        <div>
          <dt>{t("wallet.algorithm")}</dt>
          <dd>
            {credential.algorithm} · {labelOf("wallet.format", credential.format)}
          </dd>
        </div>
        <div>
          <dt>{t("wallet.disclosed")}</dt>
          <dd>
            <Names of={credential.disclosed} />
          </dd>
        </div>
        {found.values
          .filter((one) => one.credential === credential.id)
          .map(({ path, value }) => (
            <div key={path}>
              <dt>
                <code>{path}</code>
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        {kept.length > 0 && (
          <div>
            <dt>{t("wallet.kept")}</dt>
            <dd>
              <Names of={kept} />
            </dd>
          </div>
        )}
        {credential.status_list && (
          <div>
            <dt>{t("wallet.status_list")}</dt>
            <dd>
              <code>{credential.status_list}</code>
            </dd>
          </div>
        )}
      </dl>
      <Path path={credential.path} />
      {credential.anchor ? (
        <p className={css.anchor}>
          {t("wallet.anchor", {
            scope: credential.anchor.scope,
            source: credential.anchor.source || t("chip.anchor_unsaid"),
            at: absolute(credential.anchor.accepted_at),
          })}
        </p>
      ) : (
        credential.missing && (
          <p className={css.anchor}>
            {t("chip.missing")} <strong>{credential.missing}</strong>
          </p>
        )
      )}
    </>
  );
}

/** Names of claims; of mobile documents without the name space, which is long and the same for nearly all. */
function Names({ of }: { of: string[] }) {
  const short = (path: string) =>
    path.slice(path.lastIndexOf("/") + 1).replace(/^(org\.iso|eu\.europa)\.[\w.]+\.(?=\w+$)/, "");
  return (
    <ul className={css.groups}>
      {of.map((path) => (
        <li key={path} title={path}>
          {short(path)}
        </li>
      ))}
    </ul>
  );
}
