import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { answered, api } from "../../api/client.ts";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { Door } from "./Door.tsx";
import { Wrong } from "./Wrong.tsx";

export function Login() {
  const { next } = useSearch({ from: "/login" });
  const router = useRouter();
  const form = useForm({ initialValues: { email: "", password: "" } });
  const login = useMutation({
    mutationFn: (body: typeof form.values) => answered(api.POST("/v1/console/login", { body })),
    onSuccess: (me) => {
      client.setQueryData(queries.me.queryKey, me);
      router.history.push(next ?? "/console/sessions");
    },
  });
  return (
    <Door title={t("login.title")}>
      <form className={css.form} onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Wrong error={login.error} says={{ "auth.invalid": [t("login.wrong"), t("login.wrong_text")] }} />
        <TextInput
          label={t("login.email")}
          required
          withAsterisk={false}
          type="email"
          autoComplete="username"
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
        <Button type="submit" size="md" loading={login.isPending}>
          {t("login.submit")}
        </Button>
      </form>
    </Door>
  );
}
