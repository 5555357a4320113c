import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { isTransient } from "../../api/failure.ts";
import css from "../pages/Door.module.css";
import { Door, DoorForm } from "../pages/Door.tsx";
import { takeToken } from "../pages/token.ts";
import { NewPasswordField } from "../parts/AccountFields.tsx";
import { t } from "../words.ts";
import { Back } from "./Forgot.tsx";

/** Where a member chooses a new password by the link that was mailed. It signs nobody in. */
export function Reset() {
  const [token] = useState(takeToken);
  const opened = useQuery({
    queryKey: ["reset"],
    queryFn: () => unwrap(api.POST("/v1/console/password/peek", { body: { token } })),
    retry: (count, error) => isTransient(error) && count < 3,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({ initialValues: { password: "" } });
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      unwrap(api.POST("/v1/console/password/reset", { body: { token, ...values } })),
  });
  if (save.isSuccess)
    return (
      <Door title={t("reset.done")} lead={t("reset.done_text")}>
        <Back />
      </Door>
    );
  if (opened.error)
    return (
      <Door title={t("reset.gone")} lead={t("reset.gone_text")}>
        <div className={css.form}>
          <Link to="/forgot">{t("reset.new")}</Link>
        </div>
        <Back />
      </Door>
    );
  if (!opened.data) return <Door title={t("reset.title")}>{t("app.loading")}</Door>;
  return (
    <Door title={t("reset.title")} lead={t("reset.text", { email: opened.data.email })}>
      <DoorForm
        error={save.error}
        submit={t("reset.submit")}
        busy={save.isPending}
        onSubmit={form.onSubmit((values) => save.mutate(values))}
      >
        <input type="hidden" name="email" autoComplete="username" value={opened.data.email} readOnly />
        <NewPasswordField input={form.getInputProps("password")} />
      </DoorForm>
    </Door>
  );
}
