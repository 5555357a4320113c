import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { isTransient } from "../../api/failure.ts";
import { offerPasskey } from "../door/Offer.tsx";
import css from "../pages/Door.module.css";
import { Door, DoorForm } from "../pages/Door.tsx";
import { takeToken } from "../pages/token.ts";
import { NameField, NewPasswordField } from "../parts/AccountFields.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";

/** Where somebody who was invited makes their account. */
export function Join() {
  const [token] = useState(takeToken);
  const navigate = useNavigate();
  const invited = useQuery({
    queryKey: ["invited"],
    queryFn: () => unwrap(api.POST("/v1/console/join/peek", { body: { token } })),
    retry: (count, error) => isTransient(error) && count < 3,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({ initialValues: { name: "", password: "" } });
  const join = useMutation({
    mutationFn: (values: typeof form.values) => unwrap(api.POST("/v1/console/join", { body: { token, ...values } })),
    onSuccess: (me) => {
      client.setQueryData(queries.me.queryKey, me);
      offerPasskey();
      void navigate({ to: "/console/sessions", search: {} });
    },
  });
  if (invited.error)
    return (
      <Door title={t("join.gone")} lead={t("join.gone_text")}>
        <div className={css.form}>
          <Link to="/login" search={{}}>
            {t("login.go")}
          </Link>
        </div>
      </Door>
    );
  if (!invited.data) return <Door title={t("join.title")}>{t("app.loading")}</Door>;
  const roles = invited.data.roles.map((role) => t(`role.${role}`)).join(", ");
  return (
    <Door
      title={t("join.title")}
      lead={`${t("join.text", { email: invited.data.email })} ${t("join.roles", { roles })}`}
    >
      <DoorForm
        error={join.error}
        submit={t("join.submit")}
        busy={join.isPending}
        onSubmit={form.onSubmit((values) => join.mutate(values))}
      >
        <input type="hidden" name="email" autoComplete="username" value={invited.data.email} readOnly />
        <NameField input={form.getInputProps("name")} autoFocus />
        <NewPasswordField input={form.getInputProps("password")} />
      </DoorForm>
    </Door>
  );
}
