import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Mode, TrustAnswer } from "../../api/wire.ts";
import { countryName } from "../parts/country.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import { catalogueText, t } from "../words.ts";
import { Certificates } from "./Certificates.tsx";
import { Chooser, type Purpose, PurposeFields } from "./File.tsx";
import { calls } from "./queries.ts";
import css from "./Trust.module.css";

/** Says of a file who signed it, which anchors were tried, and which certificate is missing. */
export function Why({ mode, onClose }: { mode: Mode; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [purpose, setPurpose] = useState<Purpose | "">("");
  const [scope, setScope] = useState("");
  const ask = useMutation({
    mutationFn: (chosen: File) => calls.explain(chosen, { mode, purpose, scope: purpose ? scope.trim() : "" }),
  });
  return (
    <Sheet size="xl" title={t("trust.why.title")} onClose={onClose}>
      {ask.data ? (
        <div className={css.form}>
          <Answer answer={ask.data} />
          <div className={css.acts}>
            <Button variant="default" data-autofocus onClick={() => ask.reset()}>
              {t("trust.why.again")}
            </Button>
          </div>
        </div>
      ) : (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (file) ask.mutate(file);
          }}
        >
          <Chooser
            file={file}
            hint={t("trust.why.hint")}
            onFile={(chosen) => {
              ask.reset();
              setFile(chosen);
            }}
          />
          <PurposeFields
            label={t("trust.why.about")}
            first={t("trust.why.itself")}
            purpose={purpose}
            scope={scope}
            onPurpose={setPurpose}
            onScope={setScope}
          />
          <ErrorMessage error={ask.error} />
          <div className={css.acts}>
            <Button type="submit" disabled={!file} loading={ask.isPending}>
              {t("trust.why.submit")}
            </Button>
          </div>
        </form>
      )}
    </Sheet>
  );
}

function Answer({ answer }: { answer: TrustAnswer }) {
  const { trusted, kind, purpose, scope, refusals, missing, signer, chain, revocation } = answer;
  return (
    <>
      <div role="status">
        <State shape={trusted ? "pass" : "fail"} filled>
          {t(trusted ? "trust.why.yes" : "trust.why.no")}
        </State>
      </div>
      <p className={css.soft}>
        {t("trust.why.as", {
          kind: t(`trust.why.kind.${kind}`),
          purpose: t(`trust.purpose.${purpose}`),
          scope: purpose === "csca" ? countryName(scope) : scope,
        })}
      </p>
      {refusals.length > 0 && (
        <ul className={css.refusals}>
          {refusals.map(({ code, says }) => (
            <li key={code + says}>
              {catalogueText(code, "title", says)} <a href={`/docs/errors#${code}`}>{code}</a>
            </li>
          ))}
        </ul>
      )}
      {missing && (
        <div className={css.missing}>
          <span className={css.label}>{t("trust.why.missing")}</span>
          <span>{missing}</span>
          <span className={css.soft}>{t("trust.why.missing.next")}</span>
        </div>
      )}
      {signer && (
        <dl className={css.facts}>
          <div>
            <dt>{t("trust.why.signer")}</dt>
            <dd>{signer.subject}</dd>
          </div>
          <div>
            <dt>{t("trust.why.issuer")}</dt>
            <dd>{signer.issuer}</dd>
          </div>
          {signer.issuer_key_id && (
            <div>
              <dt>{t("trust.why.issuer_key")}</dt>
              <dd>
                <code>{signer.issuer_key_id}</code>
              </dd>
            </div>
          )}
          <div>
            <dt>{t("trust.why.revocation")}</dt>
            <dd>{t(`trust.why.revocation.${revocation}`)}</dd>
          </div>
        </dl>
      )}
      {chain.length > 0 && (
        <section aria-label={t("trust.why.chain")}>
          <p className={css.label}>{t("trust.why.chain")}</p>
          <Certificates all={chain.map((certificate) => ({ certificate }))} />
        </section>
      )}
      {!trusted && chain.length === 0 && signer && <Tried answer={answer} />}
    </>
  );
}

function Tried({ answer: { tried } }: { answer: TrustAnswer }) {
  if (tried.length === 0) return <p className={css.soft}>{t("trust.why.tried.none")}</p>;
  return (
    <section aria-label={t("trust.why.tried", { n: tried.length })}>
      <p className={css.label}>{t("trust.why.tried", { n: tried.length })}</p>
      <Certificates
        all={tried.map(({ anchor, says, code }) => ({
          certificate: anchor.certificate,
          note: `${catalogueText(code, "title", says)} (${code})`,
        }))}
      />
    </section>
  );
}
