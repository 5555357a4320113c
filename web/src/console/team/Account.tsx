import { Button, PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { answered, api } from "../../api/client.ts";
import page from "../pages/Sessions.module.css";
import { Wrong } from "../pages/Wrong.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import { Factor } from "./Factor.tsx";
import css from "./Team.module.css";

/** One's own account: second factor, password, other sessions. */
export function Account() {
  const { data: me } = useSuspenseQuery(queries.me);
  useEffect(() => {
    document.title = `${t("account.title")} · ${t("app.name")}`;
  }, []);
  return (
    <div className={page.page}>
      <header>
        <h1 className={page.title}>{t("account.title")}</h1>
        <p className={css.soft}>
          {me.name} · {me.email}
        </p>
      </header>
      <Factor me={me} />
      <Password />
      <Elsewhere />
    </div>
  );
}

function Password() {
  const form = useForm({ initialValues: { present: "", password: "" } });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => answered(api.POST("/v1/console/me/password", { body })),
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
        <Wrong error={change.error} />
        <PasswordInput
          label={t("account.present")}
          required
          withAsterisk={false}
          autoComplete="current-password"
          {...form.getInputProps("present")}
        />
        <PasswordInput
          label={t("account.next")}
          description={t("setup.password_hint")}
          required
          withAsterisk={false}
          minLength={12}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          {t("account.change")}
        </Button>
      </form>
    </section>
  );
}

function Elsewhere() {
  const out = useMutation({
    mutationFn: () => answered(api.POST("/v1/console/me/sign-out-elsewhere", { body: {} })),
  });
  return (
    <section className={css.card} aria-labelledby="elsewhere">
      <h2 id="elsewhere">{t("account.elsewhere")}</h2>
      <p>{t("account.elsewhere_text")}</p>
      <Wrong error={out.error} />
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
