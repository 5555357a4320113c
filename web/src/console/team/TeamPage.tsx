import { Button, Menu } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import type { Invitation, Me, TeamMember } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { type Deed, Done, Empty, Page, Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { client, queries } from "../queries.ts";
import { ago, t, words } from "../words.ts";
import { ChangeRoles } from "./ChangeRoles.tsx";
import { Invite } from "./Invite.tsx";
import { KeepOut } from "./KeepOut.tsx";
import own from "./Team.module.css";

type Act = "enable" | "reset-factor";

const said = { enable: "team.was_enabled", "reset-factor": "team.was_reset" } as const;

/** The members, their roles, and the open invitations. */
export function TeamPage() {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(queries.team);
  const [inviting, setInviting] = useState(false);
  const [changing, setChanging] = useState<TeamMember | null>(null);
  const [leaving, setLeaving] = useState<TeamMember | null>(null);
  const [done, setDone] = useState<Deed | null>(null);

  const again = () => void client.invalidateQueries({ queryKey: ["team"] });
  const act = useMutation({
    mutationFn: ({ member, what }: { member: TeamMember; what: Act }) =>
      unwrap(api.POST(`/v1/console/team/members/{member}/${what}`, { params: { path: { member: member.id } } })),
    onSuccess: (_, { member, what }) => {
      again();
      setDone({ text: t(said[what], { name: member.name }) });
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

  const kept = (member: TeamMember, revoked: number) => {
    again();
    void client.invalidateQueries({ queryKey: ["keys"] });
    setLeaving(null);
    const { name } = member;
    if (member.disabled_at) setDone({ text: t("team.was_revoked_keys", { name, n: revoked }) });
    else if (revoked > 0) setDone({ text: t("team.was_disabled_keys", { name, n: revoked }) });
    else setDone({ text: t("team.was_disabled", { name }), undo: () => act.mutate({ member, what: "enable" }) });
  };

  return (
    <Page title={t("team.title")} actions={<Button onClick={() => setInviting(true)}>{t("team.invite")}</Button>}>
      <ErrorMessage error={error ?? act.error ?? revoke.error} />
      <Done deed={done} />
      {data && (
        <Members
          members={data.members}
          me={me}
          onRoles={setChanging}
          onKeepOut={setLeaving}
          onAct={(member, what) => act.mutate({ member, what })}
        />
      )}
      {data?.members.length === 1 && <Empty title={t("team.alone.title")} text={t("team.alone")} />}
      {data && data.invitations.length > 0 && (
        <Section title={t("invite.open")}>
          <Invitations items={data.invitations} onRevoke={(invitation) => revoke.mutate(invitation)} />
        </Section>
      )}
      {inviting && <Invite mine={me.roles} onClose={() => setInviting(false)} />}
      {leaving && (
        <KeepOut member={leaving} onClose={() => setLeaving(null)} onDone={(revoked) => kept(leaving, revoked)} />
      )}
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
    </Page>
  );
}

function Members({
  members,
  me,
  onRoles,
  onKeepOut,
  onAct,
}: {
  members: readonly TeamMember[];
  me: Me;
  onRoles: (member: TeamMember) => void;
  onKeepOut: (member: TeamMember) => void;
  onAct: (member: TeamMember, what: Act) => void;
}) {
  return (
    <Table
      caption={t("team.table")}
      columns={[t("team.column.name"), t("team.column.roles"), t("team.column.factor"), t("team.column.login")]}
      acts={t("team.column.actions")}
    >
      {members.map((member) => (
        <tr key={member.id} className={cell.row} data-out={member.disabled_at !== null}>
          <th scope="row" className={cell.first}>
            <span className={own.who}>
              <span className={cell.name}>{member.name}</span>
              <span className={own.soft}>{member.email}</span>
              {member.keys.length > 0 && (
                <span className={own.soft}>
                  {t("team.keys", {
                    n: member.keys.length,
                    names: new Intl.ListFormat(words.language).format(namesOf(member)),
                  })}
                </span>
              )}
            </span>
          </th>
          <td>{member.roles.map((role) => t(`role.${role}`)).join(", ")}</td>
          <td>
            <State shape={member.second_factor ? "pass" : "idle"}>
              {t(member.second_factor ? "team.factor.on" : "team.factor.off")}
            </State>
          </td>
          <td className={cell.quiet}>
            {member.disabled_at ? (
              <State shape="fail">{t("team.disabled")}</State>
            ) : member.last_login_at ? (
              <Time iso={member.last_login_at} />
            ) : (
              t("team.never")
            )}
          </td>
          <td>
            <Actions member={member} me={me} onRoles={onRoles} onKeepOut={onKeepOut} onAct={onAct} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const namesOf = ({ keys }: TeamMember) => keys.map(({ name, mode }) => `${name} (${t(`mode.${mode}`)})`);

function Actions({
  member,
  me,
  onRoles,
  onKeepOut,
  onAct,
}: {
  member: TeamMember;
  me: Me;
  onRoles: (member: TeamMember) => void;
  onKeepOut: (member: TeamMember) => void;
  onAct: (member: TeamMember, what: Act) => void;
}) {
  if (member.id === me.id) return <div className={cell.actions}>{t("team.you")}</div>;
  const blocked = member.roles.includes("owner") && !me.roles.includes("owner");
  if (blocked) return <div className={cell.actions}>{t("team.owner_only")}</div>;
  return (
    <div className={cell.actions}>
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
          {member.disabled_at ? (
            <Menu.Item onClick={() => onAct(member, "enable")}>{t("team.enable")}</Menu.Item>
          ) : (
            <Menu.Item onClick={() => onKeepOut(member)}>{t("team.disable")}</Menu.Item>
          )}
          {member.disabled_at && member.keys.length > 0 && (
            <Menu.Item onClick={() => onKeepOut(member)}>{t("team.revoke_keys")}</Menu.Item>
          )}
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
    <Table caption={t("invite.open")} columns={[]}>
      {items.map((invitation) => (
        <tr key={invitation.id} className={cell.row}>
          <th scope="row" className={`${cell.first} ${cell.name}`}>
            {invitation.email}
          </th>
          <td>{invitation.roles.map((role) => t(`role.${role}`)).join(", ")}</td>
          <td className={cell.quiet}>{t("invite.expires", { when: ago(invitation.expires_at) })}</td>
          <td>
            <div className={cell.actions}>
              <Button size="compact-sm" variant="default" onClick={() => onRevoke(invitation)}>
                {t("invite.revoke")}
              </Button>
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}
