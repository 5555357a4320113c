import { Button, Menu, Select } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { APIKey } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Developers.module.css";
import { useMode } from "./mode.ts";
import { NewKey } from "./NewKey.tsx";
import { developerQueries } from "./queries.ts";
import { Secret } from "./Secret.tsx";

type Act = { key: APIKey; what: "rotate" | "revoke" };

const looks: Record<APIKey["status"], Shape> = { active: "pass", expired: "idle", revoked: "fail" };

/** The API keys of a mode. */
export function Keys() {
  const mode = useMode();
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(developerQueries.keys(mode));
  const [making, setMaking] = useState(false);
  const [act, setAct] = useState<Act | null>(null);
  const may = me.may.includes("keys.write");
  const make = may && <Button onClick={() => setMaking(true)}>{t("keys.new")}</Button>;
  return (
    <Page title={t("keys.title")} actions={make}>
      <ErrorMessage error={error} />
      {data?.items.length === 0 && <Empty title={t("keys.empty.title")} text={t(`keys.empty.${mode}`)} />}
      {data && data.items.length > 0 && (
        <Table
          caption={t("keys.table")}
          columns={[
            t("keys.column.name"),
            t("keys.column.state"),
            t("keys.column.scopes"),
            t("keys.column.used"),
            t("keys.column.ends"),
          ]}
          acts={may ? t("keys.column.actions") : undefined}
        >
          {data.items.map((key) => (
            <Row key={key.id} item={key} may={may} onAct={(what) => setAct({ key, what })} />
          ))}
        </Table>
      )}
      {making && data && <NewKey mode={mode} scopes={data.scopes} onClose={() => setMaking(false)} />}
      {act?.what === "rotate" && <Rotate item={act.key} onClose={() => setAct(null)} />}
      {act?.what === "revoke" && <Revoke item={act.key} onClose={() => setAct(null)} />}
    </Page>
  );
}

function Row({ item, may, onAct }: { item: APIKey; may: boolean; onAct: (what: Act["what"]) => void }) {
  const ends = item.revoked_at ?? item.expires_at;
  return (
    <tr className={cell.row} data-out={item.status !== "active"}>
      <th scope="row" className={cell.first}>
        <span className={cell.name}>{item.name}</span> <code className={cell.code}>{item.prefix}…</code>
      </th>
      <td>
        <State shape={looks[item.status]}>{t(`keys.${item.status}`)}</State>
      </td>
      <td className={cell.wide} title={item.scopes.join(", ")}>
        {item.scopes.join(", ")}
      </td>
      <td className={cell.quiet} data-label={t("keys.column.used")}>
        {item.last_used_at ? <Time iso={item.last_used_at} /> : t("keys.never_used")}
      </td>
      <td className={cell.quiet} data-label={t("keys.column.ends")}>
        {ends ? <Time iso={ends} /> : t("keys.never_ends")}
      </td>
      {may && (
        <td>
          {item.status === "active" && (
            <div className={cell.actions}>
              <Button size="compact-sm" variant="default" onClick={() => onAct("rotate")}>
                {t("keys.rotate")}
              </Button>
              <Menu position="bottom-end" withinPortal>
                <Menu.Target>
                  <Button size="compact-sm" variant="default" aria-label={t("team.more", { name: item.name })}>
                    ⋯
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => onAct("revoke")}>{t("keys.revoke")}</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </div>
          )}
        </td>
      )}
    </tr>
  );
}

const again = () => void client.invalidateQueries({ queryKey: ["keys"] });

const graces = ["0", "1", "24", "168"] as const;
const graceOf = (value: string | null) => graces.find((grace) => grace === value) ?? "24";

function Rotate({ item, onClose }: { item: APIKey; onClose: () => void }) {
  const [grace, setGrace] = useState<(typeof graces)[number]>("24");
  const rotate = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/v1/console/keys/{id}/rotate", {
          params: { path: { id: item.id } },
          body: { grace_hours: Number(grace) },
        }),
      ),
    onSuccess: again,
  });
  return (
    <Sheet size="lg" title={t(rotate.data ? "keys.ready" : "keys.rotate.title", { name: item.name })} onClose={onClose}>
      {rotate.data ? (
        <Secret label={t("keys.secret")} value={rotate.data.secret ?? ""}>
          <Button variant="default" onClick={onClose}>
            {t("developers.done")}
          </Button>
        </Secret>
      ) : (
        <div className={css.form}>
          <p className={css.soft}>{t("keys.rotate.text")}</p>
          <ErrorMessage error={rotate.error} />
          <Select
            label={t("keys.rotate.grace")}
            value={grace}
            onChange={(value) => setGrace(graceOf(value))}
            data={graces.map((value) => ({ value, label: t(`keys.grace.${value}`) }))}
            allowDeselect={false}
          />
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {t("keys.rotate")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

function Revoke({ item, onClose }: { item: APIKey; onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/keys/{id}/revoke", { params: { path: { id: item.id } }, body: {} })),
    onSuccess: () => {
      again();
      onClose();
    },
  });
  return (
    <Sheet size="lg" title={t("keys.revoke.title", { name: item.name })} onClose={onClose}>
      <div className={css.form}>
        <p className={css.soft}>{t("keys.revoke.text")}</p>
        <ErrorMessage error={revoke.error} />
        <Button loading={revoke.isPending} onClick={() => revoke.mutate()}>
          {t("keys.revoke")}
        </Button>
      </div>
    </Sheet>
  );
}
