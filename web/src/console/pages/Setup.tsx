import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { offerPasskey } from "../door/Offer.tsx";
import { EmailField, NameField, NewPasswordField } from "../parts/AccountFields.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { Door, DoorForm } from "./Door.tsx";
import { takeToken } from "./token.ts";

export function Setup() {
  const { data } = useQuery(queries.setup);
  const [token] = useState(takeToken);
  const navigate = useNavigate();
  const form = useForm({ initialValues: { token, name: "", email: "", password: "" } });
  const setup = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.POST("/v1/console/setup", { body })),
    onSuccess: (me) => {
      client.setQueryData(queries.me.queryKey, me);
      client.setQueryData(queries.setup.queryKey, (was) => was && { ...was, needed: false });
      offerPasskey();
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
      <DoorForm
        error={setup.error}
        submit={t("setup.submit")}
        busy={setup.isPending}
        onSubmit={form.onSubmit((values) => setup.mutate(values))}
      >
        <TextInput
          label={t("setup.token")}
          description={t("setup.token_hint")}
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("token")}
        />
        <NameField input={form.getInputProps("name")} />
        <EmailField input={form.getInputProps("email")} />
        <NewPasswordField input={form.getInputProps("password")} />
      </DoorForm>
    </Door>
  );
}
