import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import type { Me, Proof } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { settle, useProofAsked } from "./proof.ts";
import { proveThere } from "./sso.ts";
import { declined, hindrance, show } from "./webauthn.ts";

async function prove(body: Proof): Promise<void> {
  const { response, error } = await api.POST("/v1/console/me/prove", { body });
  if (!response.ok) throw failureOf(response.status, error);
}

/** Asks once more who is there, before something that a borrowed browser must not do. */
export function StepUp({ me }: { me: Me }) {
  const asked = useProofAsked();
  if (!asked) return null;
  return (
    <Sheet onClose={() => settle(false)} title={t("proof.title")}>
      <Ways me={me} />
    </Sheet>
  );
}

function Ways({ me }: { me: Me }) {
  const { data: here } = useQuery(queries.setup);
  const byPasskey = me.passkeys.length > 0 && here?.passkeys === true && !hindrance(here.origin);
  const passkey = useMutation({
    mutationFn: async () => {
      const request = await unwrap(api.POST("/v1/console/me/prove/begin", { body: {} }));
      await prove({ passkey: await show(request) });
    },
    onSuccess: () => settle(true),
  });
  return (
    <div className={css.ways}>
      <p>{t("proof.text")}</p>
      <ErrorMessage error={passkey.error && !declined(passkey.error) ? passkey.error : null} />
      {byPasskey && (
        <Button size="md" data-autofocus loading={passkey.isPending} onClick={() => passkey.mutate()}>
          {t("passkey.use")}
        </Button>
      )}
      {byPasskey && me.password && <p className={css.or}>{t("login.or")}</p>}
      {me.password && <ByPassword me={me} first={!byPasskey} />}
      {!me.password && !byPasskey && me.sso && here?.sso && <BySSO name={here.sso} />}
      {!me.password && !byPasskey && !(me.sso && here?.sso) && <p role="alert">{t("proof.none")}</p>}
    </div>
  );
}

function BySSO({ name }: { name: string }) {
  const leave = useMutation({ mutationFn: proveThere });
  return (
    <>
      <ErrorMessage error={leave.error} />
      <p>{t("proof.sso", { name })}</p>
      <Button data-autofocus loading={leave.isPending} onClick={() => leave.mutate()}>
        {t("sso.continue", { name })}
      </Button>
    </>
  );
}

function ByPassword({ me, first }: { me: Me; first: boolean }) {
  const form = useForm({ initialValues: { password: "", one_time_code: "" } });
  const send = useMutation({
    mutationFn: ({ password, one_time_code }: typeof form.values) =>
      prove(one_time_code ? { password, one_time_code } : { password }),
    onSuccess: () => settle(true),
  });
  return (
    <form className={css.ways} onSubmit={form.onSubmit((values) => send.mutate(values))}>
      <ErrorMessage
        error={send.error}
        says={{
          "auth.invalid": [t("proof.wrong"), t("proof.wrong_text")],
          "auth.second_factor": [t("login.code_wrong"), t("login.code_wrong_text")],
        }}
      />
      <PasswordInput
        label={t("login.password")}
        required
        withAsterisk={false}
        autoComplete="current-password"
        data-autofocus={first || undefined}
        {...form.getInputProps("password")}
      />
      {me.second_factor && (
        <TextInput
          label={t(me.authenticator_app ? "account.any_code" : "proof.recovery")}
          required
          withAsterisk={false}
          maxLength={40}
          autoComplete="one-time-code"
          {...form.getInputProps("one_time_code")}
        />
      )}
      <div className={css.acts}>
        <Button variant="default" onClick={() => settle(false)}>
          {t("account.cancel")}
        </Button>
        <Button type="submit" variant={first ? "filled" : "default"} loading={send.isPending}>
          {t("proof.submit")}
        </Button>
      </div>
    </form>
  );
}
