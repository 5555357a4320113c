import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Me } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { client, queries } from "../queries.ts";
import team from "../team/Team.module.css";
import { t } from "../words.ts";
import { linkThere } from "./sso.ts";

/** Whether single sign-on opens one's own account, where the deployment has it. */
export function SingleSignOn({ me }: { me: Me }) {
  const { data: here } = useQuery(queries.setup);
  const link = useMutation({ mutationFn: linkThere });
  const unlink = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/me/sso/remove", { body: {} })),
    onSuccess: (now) => client.setQueryData(queries.me.queryKey, now),
  });
  if (!here?.sso && !me.sso) return null;
  const name = here?.sso || t("sso.title");
  return (
    <section className={team.card} aria-labelledby="sso">
      <h2 id="sso">{t("sso.title")}</h2>
      <p>{t(me.sso ? "sso.linked" : "sso.unlinked", { name })}</p>
      <ErrorMessage error={link.error ?? unlink.error} />
      {me.sso ? (
        <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate()}>
          {t("sso.unlink")}
        </Button>
      ) : (
        <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
          {t("sso.link", { name })}
        </Button>
      )}
    </section>
  );
}
