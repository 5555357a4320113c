import { type FormEvent, useId, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { Refused } from "../../api/failure.ts";
import type { CodeSent, Opened } from "../../api/wire.ts";
import { calls } from "../calls.ts";
import { Button } from "../parts/Button.tsx";
import { Page, useAbout } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import css from "./Code.module.css";

const digits = 6;

const sendCode = (link: string, locale: string): Promise<CodeSent> =>
  unwrap(api.POST("/v1/applicant/code", { body: { link, locale } }));

/** Continues a check that another browser has, once pictures were sent: with a code that is mailed to the person. */
export default function Code({
  link,
  hint,
  onOpened,
}: {
  link: string;
  hint: string;
  onOpened: (opened: Opened) => void;
}) {
  const { t, has, locale } = useWords();
  const { brand } = useAbout();
  const id = useId();
  const [sent, setSent] = useState("");
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState<"sending" | "opening" | "">("");
  const [wrong, setWrong] = useState("");

  const failed = (error: unknown) => {
    setBusy("");
    const problem = error instanceof Refused ? error.problem.code : "";
    if (problem === "rate.limited" || problem === "mail.limited") return setWrong(t("code.wait"));
    const title = `problem.${problem}.title`;
    const remedy = `problem.${problem}.remedy`;
    setWrong(has(title) && has(remedy) ? `${t(title)} ${t(remedy)}` : t("failed.text"));
  };
  const send = () => {
    setBusy("sending");
    setWrong("");
    sendCode(link, locale).then((answer) => {
      setBusy("");
      setCode("");
      setSent(answer.hint);
    }, failed);
  };
  const enter = (event?: FormEvent) => {
    event?.preventDefault();
    if (busy || code.length < digits) return;
    setBusy("opening");
    setWrong("");
    calls.open(link, code).then(onOpened, failed);
  };
  if (!sent)
    return (
      <Page
        title={t("code.title")}
        lead={t("code.text", { hint, brand })}
        actions={
          <Button busy={busy === "sending"} onClick={send}>
            {t("code.send")}
          </Button>
        }
      >
        <p className={css.wrong} role="alert">
          {wrong}
        </p>
      </Page>
    );
  return (
    <Page
      title={t("code.title")}
      lead={t("code.sent", { hint: sent })}
      actions={
        <>
          <Button busy={busy === "opening"} onClick={() => enter()}>
            {t("code.submit")}
          </Button>
          <Button look="quiet" busy={busy === "sending"} onClick={send}>
            {t("code.again")}
          </Button>
        </>
      }
    >
      <form onSubmit={enter}>
        <label htmlFor={id} className={css.label}>
          {t("code.label")}
        </label>
        <input
          id={id}
          className={css.input}
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          value={code}
          aria-invalid={wrong !== ""}
          aria-describedby={`${id}-wrong`}
          onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, "").slice(0, digits))}
        />
      </form>
      <p id={`${id}-wrong`} className={css.wrong} role="alert">
        {wrong}
      </p>
    </Page>
  );
}
