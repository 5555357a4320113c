import { Button } from "@mantine/core";
import { useState } from "react";
import type { Me, Trusted, TrustUpdate } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { countryName } from "../parts/country.ts";
import { Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { ago, t } from "../words.ts";
import css from "./Trust.module.css";
import { acceptBlock, dayOf } from "./trust.ts";

/** What an update is, in a few words. */
export const whatOf = ({ kind, purpose, scope, subject }: TrustUpdate): string =>
  `${t(`trust.kind.${kind}`)}, ${scope ? (purpose === "csca" ? countryName(scope) : scope) : subject.slice(0, 16)}`;

/** Who did something, and when. */
export function actOf(act: TrustUpdate["proposed"]): string {
  if (!act) return "";
  const name = act.by === "" ? t("trust.by.operator") : act.name || t("trust.by.gone");
  return t("trust.by", { name, when: ago(act.at) });
}

const shapes: Record<TrustUpdate["state"], Shape> = {
  pending: "unsure",
  in_force: "pass",
  declined: "fail",
  replaced: "idle",
  undone: "idle",
};

const firstUpdates = 8;

type Props = { data: Trusted; me: Me; onOpen: (id: string) => void };

/** What waits for somebody to accept it. */
export function Waiting(props: Props) {
  const waiting = props.data.updates.filter(({ state }) => state === "pending");
  if (waiting.length === 0) return null;
  return (
    <Section title={t("trust.waiting")}>
      <Rows caption={t("trust.waiting")} updates={waiting} {...props} />
    </Section>
  );
}

/** What was done before. */
export function History(props: Props) {
  const [all, setAll] = useState(false);
  const past = props.data.updates.filter(({ state }) => state !== "pending");
  const shown = all ? past : past.slice(0, firstUpdates);
  if (past.length === 0) return null;
  return (
    <Section title={t("trust.history")}>
      <Rows caption={t("trust.history")} updates={shown} {...props} />
      {shown.length < past.length && (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
            {t("trust.more", { n: past.length - shown.length })}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Rows({ caption, updates, data, me, onOpen }: Props & { caption: string; updates: readonly TrustUpdate[] }) {
  const columns = [
    t("trust.column.update"),
    t("trust.column.dated"),
    t("trust.column.uploaded"),
    t("trust.column.state"),
  ];
  return (
    <Table caption={caption} columns={columns} acts={t("trust.column.actions")}>
      {updates.map((one) => {
        const pending = one.state === "pending";
        const block = pending ? acceptBlock(me, data.two_persons, one) : null;
        return (
          <tr key={one.id} className={cell.row}>
            <th scope="row" className={cell.first}>
              <span className={cell.name}>{whatOf(one)}</span>
              {block && <span className={css.under}>{t(`trust.block.${block}`, { mode: t(`mode.${one.mode}`) })}</span>}
            </th>
            <td data-label={columns[1]} className={cell.quiet} data-empty={!one.dated}>
              {one.dated ? dayOf(one.dated) : "–"}
            </td>
            <td data-label={columns[2]} className={css.by}>
              {actOf(one.proposed)}
            </td>
            <td>
              <State shape={shapes[one.state]}>
                {t(one.state === "in_force" && one.undo_asked ? "trust.state.undo_asked" : `trust.state.${one.state}`)}
              </State>
            </td>
            <td>
              <div className={cell.actions}>
                <Button
                  size="compact-sm"
                  variant={pending && !block ? "filled" : "default"}
                  aria-label={t(pending ? "trust.review_of" : "trust.open_of", { what: whatOf(one) })}
                  onClick={() => onOpen(one.id)}
                >
                  {t(pending ? "trust.review" : "trust.open")}
                </Button>
              </div>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** What an update is for. */
export const purposeOf = ({ purpose }: TrustUpdate): "csca" | "iaca" | "issuer" | "vical" =>
  purpose === "iaca" || purpose === "issuer" || purpose === "vical" ? purpose : "csca";
