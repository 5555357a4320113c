import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { WalletOther, WorkflowIssue, WorkflowSpec } from "../../api/wire.ts";
import { said } from "../said.ts";
import { labelOf, t } from "../words.ts";
import { workflowQueries } from "./queries.ts";
import css from "./Workflows.module.css";
import { claimsOf, linesOf, newWalletOther, walletFormats, walletOthersOf } from "./walletOthers.ts";

type Props = {
  spec: WorkflowSpec;
  issues: readonly WorkflowIssue[];
  onChange: ((to: WorkflowSpec) => void) | null;
};

/** Credentials that no preset has, by vct or docType, and what is sent for all that is asked. */
export function WalletOthers({ spec, issues, onChange }: Props) {
  const others = walletOthersOf(spec);
  const put = (to: readonly WalletOther[]) => onChange?.({ ...spec, wallet_others: [...to] });
  return (
    <fieldset className={css.rules}>
      <legend>{t("others.title")}</legend>
      <p className={css.soft}>{t("others.text")}</p>
      {others.map((other, i) => (
        <Other
          // biome-ignore lint/suspicious/noArrayIndexKey: a credential is known by its place alone while its type is written
          key={i}
          n={i + 1}
          other={other}
          issues={issues.filter(({ field }) => field.startsWith(`/wallet_others/${i}/`))}
          onChange={onChange ? (to) => put(others.map((one, at) => (at === i ? to : one))) : null}
          onRemove={() => put(others.filter((_, at) => at !== i))}
        />
      ))}
      {onChange && (
        <div>
          <Button variant="default" onClick={() => put([...others, newWalletOther])}>
            {t("others.add")}
          </Button>
        </div>
      )}
      <Query spec={spec} />
    </fieldset>
  );
}

type OtherProps = {
  n: number;
  other: WalletOther;
  issues: readonly WorkflowIssue[];
  onChange: ((to: WalletOther) => void) | null;
  onRemove: () => void;
};

function Other({ n, other, issues, onChange, onRemove }: OtherProps) {
  const mdoc = other.format === "mso_mdoc";
  const [lines, setLines] = useState(() => linesOf(other.claims));
  // Lines that say the same stay as they are written: an empty one at the end is where the next claim will be.
  const written = linesOf(claimsOf(lines)) === linesOf(other.claims) ? lines : linesOf(other.claims);
  const about = (part: string) =>
    issues
      .filter(({ field }) => field.includes(part))
      .map(({ field, message }) => {
        const [, at] = /\/claims\/(\d+)$/.exec(field) ?? [];
        return at === undefined ? said(message) : `${t("others.line", { n: Number(at) + 1 })} ${said(message)}`;
      })
      .join("\n");
  return (
    <fieldset className={css.rule}>
      <legend>{t("others.other", { n })}</legend>
      <div className={css.fields}>
        <NativeSelect
          label={t("others.format")}
          value={other.format}
          disabled={!onChange}
          error={about("/format")}
          onChange={(event) => {
            const format = walletFormats.find((one) => one === event.currentTarget.value);
            if (format) onChange?.({ ...other, format });
          }}
          data={walletFormats.map((value) => ({ value, label: labelOf("others.format", value) }))}
        />
        <TextInput
          label={t(mdoc ? "others.doctype" : "others.vct")}
          value={other.type}
          maxLength={200}
          spellCheck={false}
          readOnly={!onChange}
          classNames={{ input: css.code ?? "" }}
          error={about("/type")}
          onChange={(event) => onChange?.({ ...other, type: event.currentTarget.value.trim() })}
        />
      </div>
      <Textarea
        label={t("others.claims")}
        description={t(mdoc ? "others.claims_mdoc" : "others.claims_sd")}
        value={written}
        autosize
        minRows={3}
        spellCheck={false}
        readOnly={!onChange}
        classNames={{ input: css.code ?? "" }}
        error={about("/claims")}
        onChange={(event) => {
          setLines(event.currentTarget.value);
          onChange?.({ ...other, claims: claimsOf(event.currentTarget.value) });
        }}
      />
      {onChange && (
        <div className={css.acts}>
          <Button size="compact-sm" variant="default" onClick={onRemove}>
            {t("others.remove")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** How long the form rests before the query is asked for again, in milliseconds. */
const pause = 400;

/** What is sent to wallets: the server makes it by the same function as that of a session. */
function Query({ spec }: { spec: WorkflowSpec }) {
  const [open, setOpen] = useState(false);
  const [settled] = useDebouncedValue(spec, pause);
  const { data } = useQuery({
    ...workflowQueries.walletQuery(settled),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  return (
    <details className={css.query} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("others.query")}</summary>
      <p className={css.soft}>{t("others.query_text")}</p>
      {data &&
        (data.query ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
          <section className={css.sent} aria-label={t("others.query")} tabIndex={0}>
            <pre className={css.code}>{JSON.stringify(data.query, null, 2)}</pre>
          </section>
        ) : (
          <p>{t("others.query_none")}</p>
        ))}
    </details>
  );
}
