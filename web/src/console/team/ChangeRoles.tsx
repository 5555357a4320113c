import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Role, TeamMember } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { t } from "../words.ts";
import { RoleChoice } from "./RoleChoice.tsx";
import css from "./Team.module.css";

/** Gives a member other roles. */
export function ChangeRoles({
  member,
  mine,
  onClose,
  onDone,
}: {
  member: TeamMember;
  mine: readonly Role[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [roles, setRoles] = useState<Role[]>([...member.roles]);
  const change = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/v1/console/team/members/{member}/roles", {
          params: { path: { member: member.id } },
          body: { roles },
        }),
      ),
    onSuccess: onDone,
  });
  return (
    <Sheet onClose={onClose} title={t("team.change_roles_of", { name: member.name })} size="lg">
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <ErrorMessage error={change.error} />
        <RoleChoice value={roles} onChange={setRoles} mine={mine} />
        <Button type="submit" loading={change.isPending} disabled={roles.length === 0}>
          {t("team.save")}
        </Button>
      </form>
    </Sheet>
  );
}
