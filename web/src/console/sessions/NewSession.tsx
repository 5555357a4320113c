import { Button, Checkbox, CopyButton, Radio, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Mode, Session } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import { Choices } from "./Choices.tsx";
import css from "./NewSession.module.css";
import { NewSessions } from "./NewSessions.tsx";
import { type Asked, bodyOf, nobody } from "./people.ts";

/** Makes sessions and shows their links, each only once: for one person, or for a list. */
export function NewSession({ mode, onClose }: { mode: Mode; onClose: () => void }) {
  const [many, setMany] = useState(false);
  const [title, setTitle] = useState(t(`new.title.${mode}`));
  return (
    <Sheet onClose={onClose} title={title} size="lg">
      <div className={css.form}>
        {title === t(`new.title.${mode}`) && (
          <>
            <p className={css.text}>{t(`new.text.${mode}`)}</p>
            <Radio.Group
              label={t("new.for")}
              value={many ? "list" : "one"}
              onChange={(value) => setMany(value === "list")}
            >
              <div className={css.radios}>
                <Radio value="one" label={t("new.for.one")} />
                <Radio value="list" label={t("new.for.list")} />
              </div>
            </Radio.Group>
          </>
        )}
        {many ? (
          <NewSessions mode={mode} onMade={(n) => setTitle(t("new.ready_many", { n }))} />
        ) : (
          <One mode={mode} onMade={() => setTitle(t("new.ready"))} />
        )}
      </div>
    </Sheet>
  );
}

function One({ mode, onMade }: { mode: Mode; onMade: () => void }) {
  const form = useForm<Asked>({ initialValues: nobody });
  const make = useMutation({
    mutationFn: (values: Asked) => unwrap(api.POST("/v1/console/sessions", { body: bodyOf(mode, values) })),
    onSuccess: () => {
      onMade();
      void client.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  const { data: here } = useQuery(queries.setup);
  if (make.data) return <Ready session={make.data} mailed={make.variables?.send !== ""} />;
  const { workflow, locale } = form.values;
  return (
    <form className={css.form} onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <ErrorMessage error={make.error} />
      <TextInput
        data-autofocus
        label={t("new.reference")}
        description={t("new.reference_hint")}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps("reference")}
      />
      <Choices mode={mode} value={{ workflow, locale }} onChange={(to) => form.setValues(to)} />
      <TextInput
        label={t("send.email")}
        description={t("send.email_hint")}
        type="email"
        maxLength={254}
        autoComplete="off"
        {...form.getInputProps("email")}
      />
      {here?.mail && (
        <Checkbox
          label={t("send.link_now")}
          disabled={form.values.email.trim() === ""}
          checked={form.values.send !== "" && form.values.email.trim() !== ""}
          onChange={(event) => form.setFieldValue("send", event.currentTarget.checked ? "yes" : "")}
        />
      )}
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
  );
}

function Ready({ session, mailed }: { session: Session; mailed: boolean }) {
  const url = session.url ?? "";
  return (
    <div className={css.form}>
      <p className={css.text}>{t(mailed && session.applicant ? "send.mailed" : "new.ready_text")}</p>
      <TextInput label={t("new.link")} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      <div className={css.actions}>
        <CopyButton value={url}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? "app.copied" : "app.copy")}</Button>}
        </CopyButton>
        {session.mode === "test" && (
          <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
            {t("new.open")}
          </Button>
        )}
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/console/sessions/$id"
              params={{ id: session.id }}
              search={session.mode === "live" ? { mode: "live" } : {}}
              {...props}
            />
          )}
        >
          {t("new.see")}
        </Button>
      </div>
    </div>
  );
}
