import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Me, Passkey } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { Time } from "../parts/Time.tsx";
import { client, queries } from "../queries.ts";
import team from "../team/Team.module.css";
import { t } from "../words.ts";
import css from "./Door.module.css";
import { NotHere } from "./NotHere.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { already, declined, hindrance, make } from "./webauthn.ts";

const most = 10;

/** One's own passkeys: what they are called, when they were used, adding and removing. */
export function Passkeys({ me }: { me: Me }) {
  const { data: here } = useQuery(queries.setup);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  const [naming, setNaming] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const remove = useMutation({
    mutationFn: (passkey: Passkey) =>
      unwrap(api.POST("/v1/console/me/passkeys/{passkey}/remove", { params: { path: { passkey: passkey.id } } })),
    onSuccess: (now) => client.setQueryData(queries.me.queryKey, now),
    onSettled: () => setLeaving(null),
  });
  const stops = here && hindrance(here.origin);
  return (
    <section className={team.card} aria-labelledby="passkeys">
      <h2 id="passkeys">{t("passkey.title")}</h2>
      <p>{t("passkey.text")}</p>
      <ErrorMessage error={remove.error} />
      {me.passkeys.length > 0 && (
        <ul className={css.list}>
          {me.passkeys.map((passkey) => (
            <li key={passkey.id} className={css.item}>
              <span className={css.name}>{passkey.name}</span>
              <span className={css.soft}>
                {passkey.last_used_at ? (
                  <>
                    {t("passkey.used")} <Time iso={passkey.last_used_at} />
                  </>
                ) : (
                  <>
                    {t("passkey.added")} <Time iso={passkey.created_at} />
                  </>
                )}
                {passkey.synced && <> · {t("passkey.synced")}</>}
              </span>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t("passkey.remove_of", { name: passkey.name })}
                onClick={() => setLeaving(passkey)}
              >
                {t("passkey.remove")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {leaving && (
        <Sheet onClose={() => setLeaving(null)} title={t("passkey.remove_title", { name: leaving.name })}>
          <div className={css.ways}>
            <p>{t("passkey.remove_text")}</p>
            {me.passkeys.length === 1 && <p>{t("passkey.remove_last")}</p>}
            <div className={css.acts}>
              <Button variant="default" data-autofocus onClick={() => setLeaving(null)}>
                {t("account.cancel")}
              </Button>
              <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(leaving)}>
                {t("passkey.remove_now")}
              </Button>
            </div>
          </div>
        </Sheet>
      )}
      {codes.length > 0 && <RecoveryCodes codes={codes} onDone={() => setCodes([])} />}
      {stops && <NotHere why={stops} origin={here.origin} />}
      {here && !here.passkeys && <p>{t("passkey.not_at_all")}</p>}
      {here?.passkeys && !stops && naming && (
        <NewPasskey
          onCancel={() => setNaming(false)}
          onDone={(fresh) => {
            setNaming(false);
            setCodes(fresh);
          }}
        />
      )}
      {here?.passkeys && !stops && !naming && codes.length === 0 && me.passkeys.length < most && (
        <Button variant={me.passkeys.length > 0 ? "default" : "filled"} onClick={() => setNaming(true)}>
          {t("passkey.add")}
        </Button>
      )}
      {me.passkeys.length >= most && <p>{t("passkey.most", { n: most })}</p>}
    </section>
  );
}

/** Names a passkey and has the browser make it. Answers the recovery codes that came with it, if any did. */
export function NewPasskey({ onDone, onCancel }: { onDone: (codes: readonly string[]) => void; onCancel: () => void }) {
  const form = useForm({ initialValues: { name: t("passkey.name_first") } });
  const add = useMutation({
    mutationFn: async ({ name }: typeof form.values) => {
      const asked = await unwrap(api.POST("/v1/console/me/passkeys/begin", { body: {} }));
      return unwrap(api.POST("/v1/console/me/passkeys", { body: await make(asked, name) }));
    },
    onSuccess: ({ me, recovery_codes }) => {
      client.setQueryData(queries.me.queryKey, me);
      onDone(recovery_codes);
    },
  });
  const known = already(add.error);
  return (
    <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
      {known && <p role="alert">{t("passkey.already")}</p>}
      {declined(add.error) && <p role="status">{t("passkey.declined")}</p>}
      <ErrorMessage error={known || declined(add.error) ? null : add.error} />
      <TextInput
        label={t("passkey.name")}
        description={t("passkey.name_hint")}
        required
        withAsterisk={false}
        autoFocus
        maxLength={60}
        {...form.getInputProps("name")}
      />
      <div className={css.acts}>
        <Button variant="default" onClick={onCancel}>
          {t("account.cancel")}
        </Button>
        <Button type="submit" loading={add.isPending}>
          {t("passkey.make")}
        </Button>
      </div>
    </form>
  );
}
