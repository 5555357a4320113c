import { Button, Checkbox } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Me } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { client, queries } from "../queries.ts";
import css from "../team/Team.module.css";
import { t } from "../words.ts";

/** What a member is told of by mail. Shows nothing to those whose roles offer no notice. */
export function Notices({ me }: { me: Me }) {
  const { data: here } = useQuery(queries.setup);
  const [chosen, setChosen] = useState<string[]>(me.notices);
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT("/v1/console/me/notices", {
          body: { notices: me.offered_notices.filter((notice) => chosen.includes(notice)) },
        }),
      ),
    onSuccess: (after) => client.setQueryData(queries.me.queryKey, after),
  });
  if (me.offered_notices.length === 0) return null;
  return (
    <section className={css.card} aria-labelledby="notices">
      <h2 id="notices">{t("notices.title")}</h2>
      <p>{here && !here.mail ? t("notices.off") : t("notices.text", { email: me.email })}</p>
      <ErrorMessage error={save.error} />
      {save.isSuccess && (
        <p className={css.ok} role="status">
          {t("notices.saved")}
        </p>
      )}
      <Checkbox.Group value={chosen} onChange={setChosen} aria-labelledby="notices">
        <div className={css.form}>
          {me.offered_notices.map((notice) => (
            <Checkbox key={notice} value={notice} label={t(`notices.${notice}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        {t("notices.save")}
      </Button>
    </section>
  );
}
