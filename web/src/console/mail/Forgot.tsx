import { TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import css from "../pages/Door.module.css";
import { Door, DoorForm } from "../pages/Door.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";

/** Where somebody who forgot their password asks for a link. The answer is the same whether there is an account or not. */
export function Forgot() {
  const { data: here } = useQuery(queries.setup);
  const [email, setEmail] = useState("");
  const ask = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/password/forgot", { body: { email: email.trim() } })),
  });
  if (here && !here.mail)
    return (
      <Door title={t("forgot.off")} lead={t("forgot.off_text")}>
        <Back />
      </Door>
    );
  if (ask.isSuccess)
    return (
      <Door title={t("forgot.sent")} lead={t("forgot.sent_text", { email: email.trim() })}>
        <Back />
      </Door>
    );
  return (
    <Door title={t("forgot.title")} lead={t("forgot.text")}>
      <DoorForm
        error={ask.error}
        submit={t("forgot.submit")}
        busy={ask.isPending}
        onSubmit={(event) => {
          event?.preventDefault();
          ask.mutate();
        }}
      >
        <TextInput
          label={t("login.email")}
          required
          withAsterisk={false}
          type="email"
          autoComplete="username"
          autoFocus
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </DoorForm>
      <Back />
    </Door>
  );
}

export function Back() {
  return (
    <div className={css.form}>
      <Link to="/login" search={{}}>
        {t("forgot.back")}
      </Link>
    </div>
  );
}
