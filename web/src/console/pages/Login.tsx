import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { Refused } from "../../api/failure.ts";
import type { Me } from "../../api/wire.ts";
import door from "../door/Door.module.css";
import { NotHere } from "../door/NotHere.tsx";
import { signInThere } from "../door/sso.ts";
import { usePasskeyLogin } from "../door/usePasskeyLogin.ts";
import { declined, hindrance } from "../door/webauthn.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { Door } from "./Door.tsx";

/** The ways in: a passkey first, and a password with what else the account asks for. */
export function Login() {
  const { next } = useSearch({ from: "/login" });
  const router = useRouter();
  const { data: here } = useQuery(queries.setup);
  const stops = here?.passkeys ? hindrance(here.origin) : null;
  const can = here?.passkeys === true && !stops;
  const come = (me: Me) => {
    client.setQueryData(queries.me.queryKey, me);
    router.history.push(next ?? "/console/sessions");
  };
  const passkey = usePasskeyLogin(can, come);
  const sso = useMutation({ mutationFn: () => signInThere(next) });
  const wrong = passkey.error && !declined(passkey.error) ? passkey.error : sso.error;
  return (
    <Door title={t("login.title")}>
      <div className={css.form}>
        <ErrorMessage error={wrong} />
        {can && (
          <Button size="md" loading={passkey.isPending} onClick={() => passkey.mutate()}>
            {t("passkey.use")}
          </Button>
        )}
        {stops && <NotHere why={stops} origin={here?.origin ?? ""} />}
        {here?.sso && (
          <Button size="md" variant={can ? "default" : "filled"} loading={sso.isPending} onClick={() => sso.mutate()}>
            {t("sso.continue", { name: here.sso })}
          </Button>
        )}
        {(can || here?.sso) && <p className={door.or}>{t("login.or")}</p>}
      </div>
      <ByPassword first={!can && !here?.sso} come={come} />
      {here?.mail && (
        <div className={css.form}>
          <Link to="/forgot">{t("forgot.go")}</Link>
        </div>
      )}
    </Door>
  );
}

function ByPassword({ first, come }: { first: boolean; come: (me: Me) => void }) {
  const form = useForm({ initialValues: { email: "", password: "", one_time_code: "" } });
  const [asked, setAsked] = useState(false);
  const login = useMutation({
    mutationFn: ({ one_time_code, ...body }: typeof form.values) =>
      unwrap(api.POST("/v1/console/login", { body: one_time_code ? { ...body, one_time_code } : body })),
    onError: (error) => {
      if (error instanceof Refused && error.problem.code === "auth.second_factor") setAsked(true);
    },
    onSuccess: come,
  });
  const app = !(login.error instanceof Refused && login.error.problem.field === "/passkey");
  return (
    <form className={css.form} onSubmit={form.onSubmit((values) => login.mutate(values))}>
      <ErrorMessage
        error={asked && form.values.one_time_code === "" ? null : login.error}
        says={{
          "auth.invalid": [t("login.wrong"), t("login.wrong_text")],
          "auth.second_factor": [t("login.code_wrong"), t("login.code_wrong_text")],
        }}
      />
      <TextInput
        label={t("login.email")}
        required
        withAsterisk={false}
        type="email"
        autoComplete="username webauthn"
        autoFocus
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label={t("login.password")}
        required
        withAsterisk={false}
        autoComplete="current-password"
        {...form.getInputProps("password")}
      />
      {asked && (
        <TextInput
          label={t(app ? "login.code" : "proof.recovery")}
          description={t(app ? "login.code_hint" : "login.recovery_hint")}
          required
          withAsterisk={false}
          maxLength={40}
          autoComplete="one-time-code"
          autoFocus
          {...form.getInputProps("one_time_code")}
        />
      )}
      <Button type="submit" size="md" variant={first ? "filled" : "default"} loading={login.isPending}>
        {t("login.submit")}
      </Button>
    </form>
  );
}
