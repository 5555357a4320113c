import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { SessionFile } from "../../api/wire.ts";
import { Secret } from "../developers/Secret.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Panel } from "../parts/Panel.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client, queries } from "../queries.ts";
import { absolute, t } from "../words.ts";
import { mayRenewLink } from "./can.ts";
import css from "./NewLink.module.css";

/** Makes a new link for an applicant who lost the browser that has the session. Shows nothing to people who may not, and once it ended. */
export function NewLink({ file }: { file: SessionFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [open, setOpen] = useState(false);
  if (!mayRenewLink(me, file)) return null;
  return (
    <Panel title={t("link.title")}>
      <div className={css.body}>
        <p>{t("link.text")}</p>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t("link.make")}
        </Button>
      </div>
      {open && <Made id={file.session.id} known={file.session.applicant?.email ?? ""} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function Made({ id, known, onClose }: { id: string; known: string; onClose: () => void }) {
  const { data: here } = useQuery(queries.setup);
  const [send, setSend] = useState(known !== "");
  const [email, setEmail] = useState(known);
  const make = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/v1/console/sessions/{id}/link", {
          params: { path: { id } },
          ...(here?.mail && send ? { body: { send, ...(email.trim() === known ? {} : { email: email.trim() }) } } : {}),
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ["session", id] }),
  });
  return (
    <Sheet onClose={onClose} title={t("link.make")} size="lg">
      {make.data ? (
        <Secret label={t("link.label", { until: absolute(make.data.expires_at) })} value={make.data.url}>
          <Button variant="default" onClick={onClose}>
            {t("app.close")}
          </Button>
        </Secret>
      ) : (
        <div className={css.ask}>
          <p>{t("link.warning")}</p>
          <ErrorMessage error={make.error} />
          {here?.mail && (
            <>
              <Checkbox
                label={t("send.link")}
                checked={send}
                onChange={(event) => setSend(event.currentTarget.checked)}
              />
              {send && (
                <TextInput
                  label={t("send.email")}
                  type="email"
                  maxLength={254}
                  autoComplete="off"
                  value={email}
                  onChange={(event) => setEmail(event.currentTarget.value)}
                />
              )}
            </>
          )}
          <Button data-autofocus loading={make.isPending} onClick={() => make.mutate()}>
            {t("link.make")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
