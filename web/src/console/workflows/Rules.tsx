import { Button, MultiSelect, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import type { RuleLanguage, WorkflowIssue, WorkflowRule } from "../../api/wire.ts";
import { faultAt } from "../editor/issues.ts";
import { explanationOf } from "../parts/reasons.ts";
import { said } from "../said.ts";
import { t } from "../words.ts";
import css from "./Workflows.module.css";

/** The word before the cursor, as far as it can name something that a rule asks. */
const wordBefore = (text: string, at: number): string => /[A-Za-z_][\w.]*$/.exec(text.slice(0, at))?.[0] ?? "";

/** The rules of a version, in the order in which they are asked. */
export function Rules({
  rules,
  issues,
  language,
  onChange,
}: {
  rules: readonly WorkflowRule[];
  issues: readonly WorkflowIssue[];
  language: RuleLanguage | undefined;
  onChange: ((to: WorkflowRule[]) => void) | null;
}) {
  const set = (at: number, to: WorkflowRule) => onChange?.(rules.map((rule, i) => (i === at ? to : rule)));
  const swap = (at: number) => {
    const [first, second] = [rules[at - 1], rules[at]];
    if (first && second) onChange?.([...rules.slice(0, at - 1), second, first, ...rules.slice(at + 1)]);
  };
  return (
    <fieldset className={css.rules}>
      <legend>{t("rules.title")}</legend>
      <p className={css.soft}>{t("rules.text")}</p>
      {rules.length === 0 && <p className={css.soft}>{t("rules.none")}</p>}
      {rules.map((rule, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by its place alone
        <fieldset key={i} className={css.rule}>
          <legend>{t("rules.rule", { n: i + 1 })}</legend>
          <TextInput
            label={t("rules.name")}
            value={rule.name}
            maxLength={language?.limits.name ?? 200}
            readOnly={!onChange}
            error={faultAt(issues, (field) => field === `/rules/${i}/name`)}
            onChange={(event) => set(i, { ...rule, name: event.currentTarget.value })}
          />
          <When
            value={rule.when}
            issues={issues.filter(({ field }) => field === `/rules/${i}/when`)}
            language={language}
            onChange={onChange ? (when) => set(i, { ...rule, when }) : null}
          />
          <div className={css.fields}>
            <NativeSelect
              label={t("rules.then")}
              value={rule.then}
              disabled={!onChange}
              error={faultAt(issues, (field) => field === `/rules/${i}/then`)}
              onChange={(event) =>
                // biome-ignore lint/suspicious/noThenProperty: the wire's word; it is no promise
                set(i, { ...rule, then: event.currentTarget.value === "declined" ? "declined" : "referred" })
              }
              data={[
                { value: "referred", label: t("decision.referred") },
                { value: "declined", label: t("decision.declined") },
              ]}
            />
            <MultiSelect
              label={t("rules.reasons")}
              value={rule.reasons}
              searchable
              limit={50}
              disabled={!onChange}
              error={faultAt(issues, (field) => field.startsWith(`/rules/${i}/reasons`))}
              comboboxProps={{ withinPortal: false }}
              onChange={(reasons) => set(i, { ...rule, reasons })}
              data={(language?.reasons ?? [])
                .filter(({ declines }) => rule.then === "referred" || declines)
                .map(({ code, text }) => ({
                  value: code,
                  label: `${code}: ${explanationOf(code, { title: "", reviewer: text })}`,
                }))}
            />
          </div>
          {onChange && (
            <div className={css.acts}>
              {i > 0 && (
                <Button size="compact-sm" variant="default" onClick={() => swap(i)}>
                  {t("rules.up")}
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => onChange(rules.filter((_, other) => other !== i))}
              >
                {t("rules.remove")}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      {onChange && (
        <div>
          <Button
            variant="default"
            // biome-ignore lint/suspicious/noThenProperty: the wire's word; it is no promise
            onClick={() => onChange([...rules, { name: "", when: "", then: "referred", reasons: [] }])}
          >
            {t("rules.add")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** A condition: names that fit the word before the cursor are offered, and what is wrong is said with its place. */
function When({
  value,
  issues,
  language,
  onChange,
}: {
  value: string;
  issues: readonly WorkflowIssue[];
  language: RuleLanguage | undefined;
  onChange: ((to: string) => void) | null;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [word, setWord] = useState("");
  const fits = word
    ? (language?.variables ?? []).filter(({ name }) => name.startsWith(word) && name !== word).slice(0, 8)
    : [];
  const look = () => setWord(field.current ? wordBefore(field.current.value, field.current.selectionStart) : "");
  const take = (name: string) => {
    const at = field.current?.selectionStart ?? value.length;
    onChange?.(value.slice(0, at - word.length) + name + value.slice(at));
    setWord("");
    field.current?.focus();
  };
  return (
    <div className={css.when}>
      <Textarea
        ref={field}
        label={t("rules.when")}
        description={t("rules.when_hint")}
        value={value}
        autosize
        minRows={2}
        maxLength={language?.limits.condition ?? 1000}
        spellCheck={false}
        readOnly={!onChange}
        classNames={{ input: css.code ?? "" }}
        error={issues
          .map(({ line, column, message }) =>
            line > 0 ? `${t("rules.at", { line, column })} ${said(message)}` : said(message),
          )
          .join("\n")}
        onChange={(event) => {
          onChange?.(event.currentTarget.value);
          look();
        }}
        onKeyUp={look}
        onClick={look}
      />
      {onChange && fits.length > 0 && (
        <ul className={css.offers} aria-label={t("rules.offers")}>
          {fits.map(({ name, type, doc }) => (
            <li key={name}>
              <button type="button" className={css.offer} onClick={() => take(name)}>
                <code>{name}</code> <span className={css.soft}>{`${type} · ${doc}`}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
