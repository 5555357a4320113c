import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { answered, api } from "../../api/client.ts";
import { Refused } from "../../api/failure.ts";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { Door } from "./Door.tsx";
import { Wrong } from "./Wrong.tsx";

export function Login() {
  const { next } = useSearch({ from: "/login" });
  const router = useRouter();
  const form = useForm({ initialValues: { email: "", password: "", one_time_code: "" } });
  const [asked, setAsked] = useState(false);
  const login = useMutation({
    mutationFn: ({ one_time_code, ...body }: typeof form.values) =>
      answered(api.POST("/v1/console/login", { body: one_time_code ? { ...body, one_time_code } : body })),
    onError: (error) => {
      if (error instanceof Refused && error.problem.code === "auth.second_factor") setAsked(true);
    },
    onSuccess: (me) => {
      client.setQueryData(queries.me.queryKey, me);
      router.history.push(next ?? "/console/sessions");
    },
  });
  return (
    <Door title={t("login.title")}>
      <form className={css.form} onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Wrong
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
        {asked && (
          <TextInput
            label={t("login.code")}
            description={t("login.code_hint")}
            required
            withAsterisk={false}
            maxLength={40}
            autoComplete="one-time-code"
            autoFocus
            {...form.getInputProps("one_time_code")}
          />
        )}
        <Button type="submit" size="md" loading={login.isPending}>
          {t("login.submit")}
        </Button>
      </form>
    </Door>
  );
}
