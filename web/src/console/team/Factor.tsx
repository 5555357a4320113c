import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import type { FactorSecret, Me } from "../../api/wire.ts";
import { RecoveryCodes } from "../door/RecoveryCodes.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Team.module.css";

type Stage =
  | { at: "rest" }
  | { at: "password"; to: "begin" | "remove" }
  | { at: "scan"; secret: FactorSecret }
  | { at: "recovery"; codes: readonly string[] };

const refresh = () => client.invalidateQueries({ queryKey: queries.me.queryKey });

const wrongCode = {
  "auth.second_factor": [t("login.code_wrong"), t("login.code_wrong_text")],
} as const;

/** A code of an authenticator app besides the password, and recovery codes for when it is lost. */
export function Factor({ me }: { me: Me }) {
  const [stage, setStage] = useState<Stage>({ at: "rest" });
  const rest = () => setStage({ at: "rest" });
  return (
    <section className={css.card} aria-labelledby="factor">
      <h2 id="factor">{t("account.factor")}</h2>
      {stage.at === "rest" && (
        <>
          <p>
            {me.authenticator_app
              ? t("account.factor_on", { n: me.recovery_codes })
              : t(me.passkeys.length > 0 ? "account.factor_off_passkeys" : "account.factor_off")}
          </p>
          <div className={css.acts}>
            <Button
              variant={me.authenticator_app ? "default" : "filled"}
              onClick={() => setStage({ at: "password", to: "begin" })}
            >
              {t(me.authenticator_app ? "account.factor_again" : "account.factor_begin")}
            </Button>
            {me.authenticator_app && (
              <Button variant="default" onClick={() => setStage({ at: "password", to: "remove" })}>
                {t("account.factor_remove")}
              </Button>
            )}
          </div>
        </>
      )}
      {stage.at === "password" && stage.to === "begin" && (
        <Begin onCancel={rest} onDone={(secret) => setStage({ at: "scan", secret })} />
      )}
      {stage.at === "password" && stage.to === "remove" && <Remove onCancel={rest} />}
      {stage.at === "scan" && (
        <Scan secret={stage.secret} onDone={(codes) => setStage({ at: "recovery", codes })} onCancel={rest} />
      )}
      {stage.at === "recovery" && <RecoveryCodes codes={stage.codes} onDone={rest} />}
    </section>
  );
}

function Begin({ onDone, onCancel }: { onDone: (secret: FactorSecret) => void; onCancel: () => void }) {
  const form = useForm({ initialValues: { present: "" } });
  const begin = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.POST("/v1/console/me/factor", { body })),
    onSuccess: onDone,
  });
  return (
    <form onSubmit={form.onSubmit((values) => begin.mutate(values))}>
      <ErrorMessage error={begin.error} />
      <PasswordInput
        label={t("account.present")}
        required
        withAsterisk={false}
        autoFocus
        autoComplete="current-password"
        {...form.getInputProps("present")}
      />
      <Buttons words={t("account.factor_begin")} busy={begin.isPending} onCancel={onCancel} />
    </form>
  );
}

function Scan({
  secret,
  onDone,
  onCancel,
}: {
  secret: FactorSecret;
  onDone: (codes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const form = useForm({ initialValues: { one_time_code: "" } });
  const confirm = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.POST("/v1/console/me/factor/confirm", { body })),
    onSuccess: async ({ codes }) => {
      await refresh();
      onDone(codes);
    },
  });
  return (
    <>
      <p>{t("account.factor_scan")}</p>
      <div className={css.qr}>
        <svg viewBox={`0 0 ${secret.qr.size} ${secret.qr.size}`} role="img" aria-label={t("account.factor_qr")}>
          <path d={secret.qr.path} fill="#000000" shapeRendering="crispEdges" />
        </svg>
      </div>
      <p>
        {t("account.factor_key")}: <code className={css.key}>{secret.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
      </p>
      <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
        <ErrorMessage error={confirm.error} says={wrongCode} />
        <TextInput
          label={t("account.factor_code")}
          required
          withAsterisk={false}
          autoFocus
          inputMode="numeric"
          maxLength={7}
          autoComplete="one-time-code"
          {...form.getInputProps("one_time_code")}
        />
        <Buttons words={t("account.factor_confirm")} busy={confirm.isPending} onCancel={onCancel} />
      </form>
    </>
  );
}

function Remove({ onCancel }: { onCancel: () => void }) {
  const form = useForm({ initialValues: { present: "", one_time_code: "" } });
  const remove = useMutation({
    mutationFn: async (body: typeof form.values) => {
      const { response, error } = await api.POST("/v1/console/me/factor/remove", { body });
      if (!response.ok) throw failureOf(response.status, error);
    },
    onSuccess: async () => {
      await refresh();
      onCancel();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => remove.mutate(values))}>
      <ErrorMessage error={remove.error} says={wrongCode} />
      <PasswordInput
        label={t("account.present")}
        required
        withAsterisk={false}
        autoFocus
        autoComplete="current-password"
        {...form.getInputProps("present")}
      />
      <TextInput
        label={t("account.any_code")}
        required
        withAsterisk={false}
        maxLength={40}
        autoComplete="one-time-code"
        {...form.getInputProps("one_time_code")}
      />
      <Buttons words={t("account.factor_remove")} busy={remove.isPending} onCancel={onCancel} />
    </form>
  );
}

function Buttons({ words, busy, onCancel }: { words: string; busy: boolean; onCancel: () => void }) {
  return (
    <div className={css.actions}>
      <Button variant="default" onClick={onCancel}>
        {t("account.cancel")}
      </Button>
      <Button type="submit" loading={busy}>
        {words}
      </Button>
    </div>
  );
}
