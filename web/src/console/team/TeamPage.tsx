import { Button, Menu } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answered, api } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import type { Invitation, Me, TeamMember } from "../../api/wire.ts";
import css from "../pages/Sessions.module.css";
import { Wrong } from "../pages/Wrong.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { client, queries } from "../queries.ts";
import { ago, t } from "../words.ts";
import { ChangeRoles } from "./ChangeRoles.tsx";
import { Invite } from "./Invite.tsx";
import own from "./Team.module.css";

/** What was just done, and how to take it back where that is possible. */
type Done = { text: string; undo?: () => void };
type Act = "disable" | "enable" | "reset-factor";

const said = { disable: "team.was_disabled", enable: "team.was_enabled", "reset-factor": "team.was_reset" } as const;

/** Who may sign in, with which roles, and who was asked to. */
export function TeamPage() {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(queries.team);
  const [inviting, setInviting] = useState(false);
  const [changing, setChanging] = useState<TeamMember | null>(null);
  const [done, setDone] = useState<Done | null>(null);

  useEffect(() => {
    document.title = `${t("team.title")} · ${t("app.name")}`;
  }, []);

  const again = () => void client.invalidateQueries({ queryKey: ["team"] });
  const act = useMutation({
    mutationFn: ({ member, what }: { member: TeamMember; what: Act }) =>
      answered(api.POST(`/v1/console/team/members/{member}/${what}`, { params: { path: { member: member.id } } })),
    onSuccess: (_, { member, what }) => {
      again();
      const undo = what === "disable" ? () => act.mutate({ member, what: "enable" }) : undefined;
      setDone({ text: t(said[what], { name: member.name }), ...(undo ? { undo } : {}) });
    },
  });
  const revoke = useMutation({
    mutationFn: async (invitation: Invitation) => {
      const { response, error } = await api.POST("/v1/console/team/invitations/{invitation}/revoke", {
        params: { path: { invitation: invitation.id } },
      });
      if (!response.ok) throw failureOf(response.status, error);
    },
    onSuccess: () => {
      again();
      setDone({ text: t("team.was_revoked") });
    },
  });

  return (
    <div className={css.page}>
      <header className={css.header}>
        <h1 className={css.title}>{t("team.title")}</h1>
        <Button onClick={() => setInviting(true)}>{t("team.invite")}</Button>
      </header>
      <Wrong error={error ?? act.error ?? revoke.error} />
      <div role="status">
        {done && (
          <p className={own.note}>
            {done.text}
            {done.undo && (
              <Button size="compact-sm" variant="default" onClick={done.undo}>
                {t("team.undo")}
              </Button>
            )}
          </p>
        )}
      </div>
      {data && (
        <Members
          members={data.members}
          me={me}
          onRoles={setChanging}
          onAct={(member, what) => act.mutate({ member, what })}
        />
      )}
      {data?.members.length === 1 && (
        <div className={css.empty}>
          <h2 className={css.emptyTitle}>{t("team.alone.title")}</h2>
          <p className={css.emptyText}>{t("team.alone")}</p>
        </div>
      )}
      {data && data.invitations.length > 0 && (
        <section className={own.section}>
          <h2>{t("invite.open")}</h2>
          <Invitations items={data.invitations} onRevoke={(invitation) => revoke.mutate(invitation)} />
        </section>
      )}
      {inviting && <Invite mine={me.roles} onClose={() => setInviting(false)} />}
      {changing && (
        <ChangeRoles
          member={changing}
          mine={me.roles}
          onClose={() => setChanging(null)}
          onDone={() => {
            again();
            setDone({ text: t("team.was_changed", { name: changing.name }) });
            setChanging(null);
          }}
        />
      )}
    </div>
  );
}

function Members({
  members,
  me,
  onRoles,
  onAct,
}: {
  members: readonly TeamMember[];
  me: Me;
  onRoles: (member: TeamMember) => void;
  onAct: (member: TeamMember, what: Act) => void;
}) {
  return (
    <div className={own.tableBox}>
      <table className={own.table}>
        <caption className="visually-hidden">{t("team.table")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("team.column.name")}</th>
            <th scope="col">{t("team.column.roles")}</th>
            <th scope="col">{t("team.column.factor")}</th>
            <th scope="col">{t("team.column.login")}</th>
            <th scope="col">{t("team.column.actions")}</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.id} className={own.row} data-out={member.disabled_at !== null}>
              <th scope="row">
                <span className={own.who}>
                  <span className={own.name}>{member.name}</span>
                  <span className={own.soft}>{member.email}</span>
                </span>
              </th>
              <td>{member.roles.map((role) => t(`role.${role}`)).join(", ")}</td>
              <td>
                <State shape={member.second_factor ? "pass" : "idle"}>
                  {t(member.second_factor ? "team.factor.on" : "team.factor.off")}
                </State>
              </td>
              <td className={own.soft}>
                {member.disabled_at ? (
                  <State shape="fail">{t("team.disabled")}</State>
                ) : member.last_login_at ? (
                  <Time iso={member.last_login_at} />
                ) : (
                  t("team.never")
                )}
              </td>
              <td>
                <Actions member={member} me={me} onRoles={onRoles} onAct={onAct} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Actions({
  member,
  me,
  onRoles,
  onAct,
}: {
  member: TeamMember;
  me: Me;
  onRoles: (member: TeamMember) => void;
  onAct: (member: TeamMember, what: Act) => void;
}) {
  if (member.id === me.id) return <div className={own.actions}>{t("team.you")}</div>;
  const blocked = member.roles.includes("owner") && !me.roles.includes("owner");
  if (blocked) return <div className={own.actions}>{t("team.owner_only")}</div>;
  return (
    <div className={own.actions}>
      <Button size="compact-sm" variant="default" onClick={() => onRoles(member)}>
        {t("team.change_roles")}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="compact-sm" variant="default" aria-label={t("team.more", { name: member.name })}>
            ⋯
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAct(member, member.disabled_at ? "enable" : "disable")}>
            {t(member.disabled_at ? "team.enable" : "team.disable")}
          </Menu.Item>
          {member.second_factor && (
            <Menu.Item onClick={() => onAct(member, "reset-factor")}>{t("team.reset")}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function Invitations({ items, onRevoke }: { items: readonly Invitation[]; onRevoke: (i: Invitation) => void }) {
  return (
    <div className={own.tableBox}>
      <table className={own.table}>
        <caption className="visually-hidden">{t("invite.open")}</caption>
        <tbody>
          {items.map((invitation) => (
            <tr key={invitation.id} className={own.row}>
              <th scope="row" className={own.name}>
                {invitation.email}
              </th>
              <td>{invitation.roles.map((role) => t(`role.${role}`)).join(", ")}</td>
              <td className={own.soft}>{t("invite.expires", { when: ago(invitation.expires_at) })}</td>
              <td>
                <div className={own.actions}>
                  <Button size="compact-sm" variant="default" onClick={() => onRevoke(invitation)}>
                    {t("invite.revoke")}
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
