import { Button, FileButton, MultiSelect, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { WorkflowBrand, WorkflowIssue } from "../../api/wire.ts";
import { type Language, languages } from "../../i18n/languages.ts";
import { faultAt } from "../editor/issues.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { t } from "../words.ts";
import { Preview } from "./Preview.tsx";
import { calls } from "./queries.ts";
import css from "./Workflows.module.css";

const lines = ["name", "colour", "support", "privacy"] as const;
const every = Object.keys(languages).filter((code): code is Language => Object.hasOwn(languages, code));
const named = every.map((value) => ({ value, label: languages[value].name }));
const longest = { name: 60, colour: 7, support: 500, privacy: 500, hello: 200 } as const;

/** How the applicant's pages look and speak under a version, with what they will look like beside it. */
export function Brand({
  brand,
  issues,
  onChange,
}: {
  brand: WorkflowBrand;
  issues: readonly WorkflowIssue[];
  onChange: ((to: WorkflowBrand) => void) | null;
}) {
  const offered = brand.languages.length > 0 ? named.filter(({ value }) => brand.languages.includes(value)) : named;
  const [wanted, setWanted] = useState<Language>("en");
  const language = offered.some(({ value }) => value === wanted) ? wanted : (offered[0]?.value ?? "en");
  const set = (part: Partial<WorkflowBrand>) => onChange?.({ ...brand, ...part });
  const wrong = (field: string) => faultAt(issues, (at) => at.startsWith(`/brand/${field}`));
  const hello = brand.hello.find((one) => one.language === language)?.text ?? "";
  return (
    <fieldset className={css.rules}>
      <legend>{t("brand.title")}</legend>
      <p className={css.soft}>{t("brand.text")}</p>
      <div className={css.branding}>
        <div className={css.form}>
          {lines.map((field) => (
            <TextInput
              key={field}
              label={t(`brand.${field}`)}
              description={t(`brand.${field}_hint`)}
              value={brand[field]}
              maxLength={longest[field]}
              readOnly={!onChange}
              error={wrong(field)}
              autoComplete="off"
              onChange={(event) => set({ [field]: event.currentTarget.value })}
            />
          ))}
          <Logo logo={brand.logo} error={wrong("logo")} onChange={onChange && ((logo) => set({ logo }))} />
          <MultiSelect
            label={t("brand.languages")}
            description={t("brand.languages_hint")}
            data={named}
            value={brand.languages}
            disabled={!onChange}
            error={wrong("languages")}
            comboboxProps={{ withinPortal: false }}
            onChange={(chosen) => set({ languages: every.filter((one) => chosen.includes(one)) })}
          />
          <NativeSelect
            label={t("brand.language")}
            value={language}
            data={offered}
            onChange={(event) => setWanted(every.find((one) => one === event.currentTarget.value) ?? "en")}
          />
          <TextInput
            label={t("brand.hello", { language: languages[language].name })}
            description={t("brand.hello_hint")}
            value={hello}
            maxLength={longest.hello}
            readOnly={!onChange}
            error={wrong("hello")}
            lang={languages[language].tag}
            dir="auto"
            autoComplete="off"
            onChange={(event) => {
              const rest = brand.hello.filter((one) => one.language !== language);
              const text = event.currentTarget.value;
              set({ hello: text ? [...rest, { language, text }] : rest });
            }}
          />
        </div>
        <Preview brand={brand} language={language} />
      </div>
    </fieldset>
  );
}

function Logo({
  logo,
  error,
  onChange,
}: {
  logo: string;
  error: string | undefined;
  onChange: ((digest: string) => void) | null;
}) {
  const send = useMutation({
    mutationFn: (file: File) => calls.logo(file),
    onSuccess: ({ digest }) => onChange?.(digest),
  });
  return (
    <div className={css.threshold}>
      <span className={css.label}>{t("brand.logo")}</span>
      <span className={css.soft}>{t(logo ? "brand.logo_own" : "brand.logo_none")}</span>
      <ErrorMessage error={send.error} />
      {error && (
        <p className={css.issue} role="alert">
          {error}
        </p>
      )}
      {onChange && (
        <div className={css.acts}>
          <FileButton accept="image/png,image/webp" onChange={(file) => file && send.mutate(file)}>
            {(props) => (
              <Button {...props} size="compact-sm" variant="default" loading={send.isPending}>
                {t("brand.logo_choose")}
              </Button>
            )}
          </FileButton>
          {logo && (
            <Button size="compact-sm" variant="default" onClick={() => onChange("")}>
              {t("brand.logo_remove")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
