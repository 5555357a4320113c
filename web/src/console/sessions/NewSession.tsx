import { Button, CopyButton, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import type { Session } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import css from "./NewSession.module.css";

const claims = ["family_name", "given_names", "date_of_birth"] as const;

/** Makes a test session and shows its link, which is shown only once. */
export function NewSession({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: { reference: "", family_name: "", given_names: "", date_of_birth: "" } });
  const make = useMutation({
    mutationFn: (values: typeof form.values) => {
      const claimed = Object.fromEntries(
        claims.map((name) => [name, values[name].trim()] as const).filter(([, value]) => value !== ""),
      );
      const reference = values.reference.trim();
      return unwrap(
        api.POST("/v1/console/sessions", {
          body: {
            mode: "test",
            ...(reference ? { external_reference: reference } : {}),
            ...(Object.keys(claimed).length > 0 ? { claimed } : {}),
          },
        }),
      );
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  return (
    <Sheet onClose={onClose} title={t(make.data ? "new.ready" : "new.title")} size="lg">
      {make.data ? (
        <Ready session={make.data} />
      ) : (
        <form className={css.form} onSubmit={form.onSubmit((values) => make.mutate(values))}>
          <p className={css.text}>{t("new.text")}</p>
          <ErrorMessage error={make.error} />
          <TextInput
            data-autofocus
            label={t("new.reference")}
            description={t("new.reference_hint")}
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps("reference")}
          />
          <fieldset className={css.claimed}>
            <legend>{t("new.claimed")}</legend>
            <p className={css.text}>{t("new.claimed_hint")}</p>
            <div className={css.pair}>
              <TextInput label={t("new.given_names")} autoComplete="off" {...form.getInputProps("given_names")} />
              <TextInput label={t("new.family_name")} autoComplete="off" {...form.getInputProps("family_name")} />
              <TextInput label={t("new.date_of_birth")} type="date" {...form.getInputProps("date_of_birth")} />
            </div>
          </fieldset>
          <Button type="submit" loading={make.isPending}>
            {t("new.submit")}
          </Button>
        </form>
      )}
    </Sheet>
  );
}

function Ready({ session }: { session: Session }) {
  const url = session.url ?? "";
  return (
    <div className={css.form}>
      <p className={css.text}>{t("new.ready_text")}</p>
      <TextInput label={t("new.link")} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      <div className={css.actions}>
        <CopyButton value={url}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? "app.copied" : "app.copy")}</Button>}
        </CopyButton>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
          {t("new.open")}
        </Button>
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/console/sessions/$id" params={{ id: session.id }} {...props} />}
        >
          {t("new.see")}
        </Button>
      </div>
    </div>
  );
}
