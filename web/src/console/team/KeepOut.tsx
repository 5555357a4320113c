import { Button, Checkbox } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { MemberKey, TeamMember } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { Time } from "../parts/Time.tsx";
import { t } from "../words.ts";
import own from "./Team.module.css";

/**
 * Keeps a member out, and offers to revoke the API keys that they made: those go on otherwise. Of one who is kept out already
 * only the keys are left to end.
 */
export function KeepOut({
  member,
  onClose,
  onDone,
}: {
  member: TeamMember;
  onClose: () => void;
  onDone: (revoked: number) => void;
}) {
  const { name, keys } = member;
  const already = member.disabled_at !== null;
  const [revoke, setRevoke] = useState(already);
  const act = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/v1/console/team/members/{member}/disable", {
          params: { path: { member: member.id } },
          body: { revoke_keys: revoke },
        }),
      ),
    onSuccess: () => onDone(revoke ? keys.length : 0),
  });
  const word = already
    ? t("team.revoke_keys.now", { n: keys.length })
    : t(revoke ? "team.keep_out.now_revoke" : "team.keep_out.now");
  return (
    <Sheet size="lg" title={t(already ? "team.revoke_keys.title" : "team.keep_out", { name })} onClose={onClose}>
      <div className={own.form}>
        <p>{t(already ? "team.revoke_keys.text" : "team.keep_out.text")}</p>
        {keys.length > 0 && !already && <p>{t("team.keep_out.keys")}</p>}
        <Keys keys={keys} name={name} />
        {keys.length > 0 && !already && (
          <Checkbox
            label={t("team.keep_out.revoke", { n: keys.length })}
            checked={revoke}
            onChange={(event) => setRevoke(event.currentTarget.checked)}
          />
        )}
        <ErrorMessage error={act.error} />
        <div className={own.acts}>
          <Button color="red.9" loading={act.isPending} onClick={() => act.mutate()} data-autofocus>
            {word}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("team.keep_out.cancel")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

function Keys({ keys, name }: { keys: readonly MemberKey[]; name: string }) {
  if (keys.length === 0) return <p className={own.quiet}>{t("team.keys.none", { name })}</p>;
  return (
    <ul className={own.keys} aria-label={t("team.keys_of", { name })}>
      {keys.map((key) => (
        <li key={key.id}>
          <strong>{key.name}</strong> <code>{key.prefix}…</code>{" "}
          <span className={own.quiet}>
            {t(`mode.${key.mode}`)},{" "}
            {key.last_used_at ? (
              <>
                {t("team.key.used")} <Time iso={key.last_used_at} />
              </>
            ) : (
              t("team.key.never")
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
