import { Checkbox, Radio } from "@mantine/core";
import type { RuleLanguage, WorkflowIssue, WorkflowSpec } from "../../api/wire.ts";
import { faultAt } from "../editor/issues.ts";
import { labelOf, t } from "../words.ts";
import { withCheck } from "./asks.ts";
import { WalletOthers } from "./WalletOthers.tsx";
import css from "./Workflows.module.css";
import {
  isWallet,
  walletAlways,
  walletAsks,
  walletAsksOf,
  walletUseOf,
  walletUses,
  withAsk,
  withWallet,
} from "./wallet.ts";

type Props = {
  spec: WorkflowSpec;
  issues: readonly WorkflowIssue[];
  language: RuleLanguage | undefined;
  onChange: ((to: WorkflowSpec) => void) | null;
};

/** How the workflow uses wallets: what they are asked for, and what a good credential replaces. */
export function WalletUse({ spec, issues, language, onChange }: Props) {
  const use = walletUseOf(spec);
  // What is wrong within a credential's form is said there.
  const error = faultAt(issues, (field) => /^\/wallet(_asks|_instead|_others)?(\/\d+)?$/.test(field));
  return (
    <fieldset className={css.rules}>
      <legend>{t("asks.wallet")}</legend>
      <p className={css.soft}>{t("asks.wallet_text")}</p>
      {error && (
        <p className={css.issue} role="alert">
          {error}
        </p>
      )}
      <Radio.Group
        aria-label={t("asks.wallet")}
        value={use}
        onChange={(value) => {
          const chosen = walletUses.find((one) => one === value);
          if (language && chosen) onChange?.(withWallet(spec, chosen, language));
        }}
      >
        <div className={css.choices}>
          {walletUses.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`asks.wallet.${one}`)}
              description={t(`asks.wallet.${one}_hint`)}
              disabled={!onChange || !language}
            />
          ))}
        </div>
      </Radio.Group>
      {use !== "off" && (
        <>
          <Details spec={spec} language={language} onChange={onChange} />
          <WalletOthers spec={spec} issues={issues} onChange={onChange} />
        </>
      )}
    </fieldset>
  );
}

function Details({ spec, language, onChange }: Omit<Props, "issues">) {
  const asked = walletAsksOf(spec);
  const checks = (language?.checks ?? []).filter(({ check }) => isWallet(check));
  return (
    <div className={css.fields}>
      {walletAsks.map((ask) => (
        <Checkbox
          key={ask}
          label={t(`asks.wallet.${ask}`)}
          description={t(`asks.wallet.${ask}_hint`)}
          checked={asked.includes(ask)}
          disabled={!onChange}
          onChange={(event) => onChange?.(withAsk(spec, ask, event.currentTarget.checked))}
        />
      ))}
      <Checkbox
        label={t("asks.wallet.instead")}
        description={t("asks.wallet.instead_hint")}
        checked={spec.wallet_instead ?? false}
        disabled={!onChange}
        onChange={(event) => onChange?.({ ...spec, wallet_instead: event.currentTarget.checked })}
      />
      {checks.map(({ check }) => (
        <Checkbox
          key={check}
          label={labelOf("check", check)}
          description={walletAlways.includes(check) ? t("asks.wallet.always") : undefined}
          checked={spec.required.includes(check)}
          disabled={!onChange || walletAlways.includes(check)}
          onChange={(event) => language && onChange?.(withCheck(spec, check, event.currentTarget.checked, language))}
        />
      ))}
    </div>
  );
}
