import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { Passkeys } from "../door/Passkeys.tsx";
import { SingleSignOn } from "../door/SingleSignOn.tsx";
import { Notices } from "../mail/Notices.tsx";
import { NewPasswordField, PasswordField } from "../parts/AccountFields.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Page } from "../parts/Page.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import { Factor } from "./Factor.tsx";
import { Language } from "./Language.tsx";
import css from "./Team.module.css";

/** One's own account: second factor, password, other sessions. */
export function Account() {
  const { data: me } = useSuspenseQuery(queries.me);
  return (
    <Page title={t("account.title")} lead={`${me.name} · ${me.email}`}>
      <Passkeys me={me} />
      <SingleSignOn me={me} />
      <Factor me={me} />
      <Password />
      <Notices me={me} />
      <Language />
      <Elsewhere />
    </Page>
  );
}

function Password() {
  const form = useForm({ initialValues: { present: "", password: "" } });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.POST("/v1/console/me/password", { body })),
    onSuccess: (me) => {
      client.setQueryData(queries.me.queryKey, me);
      form.reset();
    },
  });
  return (
    <section className={css.card} aria-labelledby="password">
      <h2 id="password">{t("account.password")}</h2>
      {change.isSuccess && (
        <p className={css.ok} role="status">
          {t("account.changed")}
        </p>
      )}
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <ErrorMessage error={change.error} />
        <PasswordField input={form.getInputProps("present")} />
        <NewPasswordField label={t("account.next")} input={form.getInputProps("password")} />
        <Button type="submit" variant="default" loading={change.isPending}>
          {t("account.change")}
        </Button>
      </form>
    </section>
  );
}

function Elsewhere() {
  const out = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/me/sign-out-elsewhere", { body: {} })),
  });
  return (
    <section className={css.card} aria-labelledby="elsewhere">
      <h2 id="elsewhere">{t("account.elsewhere")}</h2>
      <p>{t("account.elsewhere_text")}</p>
      <ErrorMessage error={out.error} />
      {out.isSuccess && (
        <p className={css.ok} role="status">
          {t("account.signed_out_elsewhere")}
        </p>
      )}
      <Button variant="default" loading={out.isPending} onClick={() => out.mutate()}>
        {t("account.sign_out_elsewhere")}
      </Button>
    </section>
  );
}
