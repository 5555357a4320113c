import { Button, Checkbox, CopyButton, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Role } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import { RoleChoice } from "./RoleChoice.tsx";
import css from "./Team.module.css";

/** Makes an invitation and shows its link, which is shown only once. */
export function Invite({ mine, onClose }: { mine: readonly Role[]; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<Role[]>(["reviewer"]);
  const { data: here } = useQuery(queries.setup);
  const [send, setSend] = useState(true);
  const invite = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/v1/console/team/invitations", {
          body: { email: email.trim(), roles, ...(here?.mail && send ? { send } : {}) },
        }),
      ),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["team"] }),
  });
  const url = invite.data?.url ?? "";
  return (
    <Sheet onClose={onClose} title={t(invite.data ? "invite.ready" : "invite.title")} size="lg">
      {invite.data ? (
        <div className={css.form}>
          <p className={css.ok}>
            {t(invite.data.mailed ? "invite.mailed_text" : "invite.ready_text", { email: invite.data.email })}
          </p>
          <TextInput label={t("invite.link")} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
          <div className={css.actions}>
            <CopyButton value={url}>
              {({ copied, copy }) => <Button onClick={copy}>{t(copied ? "app.copied" : "app.copy")}</Button>}
            </CopyButton>
            <Button variant="default" onClick={onClose}>
              {t("invite.done")}
            </Button>
          </div>
        </div>
      ) : (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate();
          }}
        >
          <p>{t("invite.text")}</p>
          <ErrorMessage error={invite.error} />
          <TextInput
            data-autofocus
            label={t("invite.email")}
            type="email"
            required
            withAsterisk={false}
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <RoleChoice value={roles} onChange={setRoles} mine={mine} />
          {here?.mail && (
            <Checkbox
              label={t("invite.send")}
              checked={send}
              onChange={(event) => setSend(event.currentTarget.checked)}
            />
          )}
          <Button type="submit" loading={invite.isPending} disabled={roles.length === 0}>
            {t("invite.submit")}
          </Button>
        </form>
      )}
    </Sheet>
  );
}
