import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { answered, api } from "../../api/client.ts";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { Door } from "./Door.tsx";
import { takeToken } from "./token.ts";
import { Wrong } from "./Wrong.tsx";

export function Setup() {
  const { data } = useQuery(queries.setup);
  const [token] = useState(takeToken);
  const navigate = useNavigate();
  const form = useForm({ initialValues: { token, name: "", email: "", password: "" } });
  const setup = useMutation({
    mutationFn: (body: typeof form.values) => answered(api.POST("/v1/console/setup", { body })),
    onSuccess: (me) => {
      client.setQueryData(queries.me.queryKey, me);
      client.setQueryData(queries.setup.queryKey, { needed: false });
      void navigate({ to: "/console/sessions", search: {} });
    },
  });
  if (data && !data.needed) {
    return (
      <Door title={t("setup.done_title")} lead={t("setup.done_text")}>
        <div className={css.form}>
          <Link to="/login" search={{}}>
            {t("login.go")}
          </Link>
        </div>
      </Door>
    );
  }
  return (
    <Door title={t("setup.title")} lead={t("setup.text")}>
      <form className={css.form} onSubmit={form.onSubmit((values) => setup.mutate(values))}>
        <Wrong error={setup.error} />
        <TextInput
          label={t("setup.token")}
          description={t("setup.token_hint")}
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("token")}
        />
        <TextInput
          label={t("setup.name")}
          required
          withAsterisk={false}
          maxLength={100}
          autoComplete="name"
          {...form.getInputProps("name")}
        />
        <TextInput
          label={t("setup.email")}
          required
          withAsterisk={false}
          type="email"
          autoComplete="username"
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={t("setup.password")}
          description={t("setup.password_hint")}
          required
          withAsterisk={false}
          minLength={12}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <Button type="submit" size="md" loading={setup.isPending}>
          {t("setup.submit")}
        </Button>
      </form>
    </Door>
  );
}
