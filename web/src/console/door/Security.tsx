import { useQuery } from "@tanstack/react-query";
import type { Security as Settings, TeamMember } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Page, Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Door.module.css";

/** How people sign in here: what the operator set up, and what each member has. */
export function Security() {
  const { data, error } = useQuery(queries.security);
  const { data: team, error: missing } = useQuery(queries.team);
  return (
    <Page title={t("security.title")} lead={t("security.lead")}>
      <ErrorMessage error={error ?? missing} />
      {data && <Ways settings={data} />}
      {team && <Members members={team.members.filter((member) => !member.disabled_at)} />}
    </Page>
  );
}

function Ways({ settings }: { settings: Settings }) {
  const { sso } = settings;
  return (
    <>
      <Section title={t("security.ways")}>
        <dl className={css.facts}>
          <dt>{t("passkey.title")}</dt>
          <dd>
            {settings.passkeys ? t("security.passkeys_at", { origin: settings.origin }) : t("passkey.not_at_all")}
          </dd>
          <dt>{t("security.sessions")}</dt>
          <dd>{t("security.times", { idle: settings.idle_minutes, total: settings.total_hours })}</dd>
          <dt>{t("security.proof")}</dt>
          <dd>{t("security.proof_text", { n: settings.proof_minutes })}</dd>
        </dl>
      </Section>
      <Section title={t("sso.title")}>
        {sso ? (
          <dl className={css.facts}>
            <dt>{t("security.provider")}</dt>
            <dd>
              {sso.name} · <code>{sso.issuer}</code>
            </dd>
            <dt>{t("security.client")}</dt>
            <dd>
              <code>{sso.client_id}</code>
            </dd>
            <dt>{t("security.domains")}</dt>
            <dd>{sso.domains.length > 0 ? sso.domains.join(", ") : t("security.any_domain")}</dd>
            <dt>{t("security.mapping")}</dt>
            <dd>
              <ul className={css.plain}>
                {sso.roles.map(({ claim, value, role }) => (
                  <li key={`${claim}=${value}:${role}`}>
                    <code>
                      {claim} = {value}
                    </code>{" "}
                    → {t(`role.${role}`)}
                  </li>
                ))}
              </ul>
            </dd>
          </dl>
        ) : (
          <p className={css.soft}>{t("security.no_sso")}</p>
        )}
      </Section>
    </>
  );
}

function Members({ members }: { members: readonly TeamMember[] }) {
  const bare = members.filter((member) => !member.second_factor && !member.sso);
  return (
    <Section title={t("security.members")}>
      <p className={css.soft}>{bare.length > 0 ? t("security.bare", { n: bare.length }) : t("security.none_bare")}</p>
      <Table
        caption={t("security.members")}
        columns={[t("team.column.name"), t("passkey.title"), t("account.factor"), t("sso.title"), t("login.password")]}
      >
        {members.map((member) => (
          <tr key={member.id} className={cell.row}>
            <th scope="row">{member.name}</th>
            <td>
              {member.passkeys > 0 ? (
                <Has>{t("security.passkeys", { n: member.passkeys })}</Has>
              ) : (
                <Lacks of={t("passkey.title")} />
              )}
            </td>
            <td>{member.authenticator_app ? <Has>{t("team.factor.on")}</Has> : <Lacks of={t("account.factor")} />}</td>
            <td>{member.sso ? <Has>{t("security.linked")}</Has> : <Lacks of={t("sso.title")} />}</td>
            <td>
              {!member.password ? (
                <Lacks of={t("login.password")} />
              ) : member.second_factor ? (
                <Has>{t("security.password_more")}</Has>
              ) : (
                <State shape="fail">{t("security.password_alone")}</State>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

const Has = ({ children }: { children: string }) => <State shape="pass">{children}</State>;
const Lacks = ({ of }: { of: string }) => <State shape="idle">{t("security.lacks", { of: of.toLowerCase() })}</State>;
