import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Trusted } from "../../api/wire.ts";
import { StateShape } from "../../ui/shapes.tsx";
import { useMode } from "../developers/mode.ts";
import { usePageCommands } from "../parts/commands.ts";
import { countryName } from "../parts/country.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { type Deed, Done, Empty, Page, Section } from "../parts/Page.tsx";
import { queries } from "../queries.ts";
import { catalogueText, t } from "../words.ts";
import { Countries } from "./Countries.tsx";
import { Lists, Wallets } from "./Held.tsx";
import { trustQueries } from "./queries.ts";
import css from "./Trust.module.css";
import { dayOf, daysSince, mayWrite, shapeOf } from "./trust.ts";
import { UpdateSheet } from "./UpdateSheet.tsx";
import { History, Waiting } from "./Updates.tsx";
import { Upload } from "./Upload.tsx";
import { Why } from "./Why.tsx";

/** Whom a mode trusts for chips and wallets: what is covered, what ends, what waits, and why something is not trusted. */
export function TrustPage() {
  const mode = useMode();
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(trustQueries.trusted(mode));
  const [open, setOpen] = useState<"upload" | "why" | null>(null);
  const [update, setUpdate] = useState<string | null>(null);
  const [done, setDone] = useState<Deed | null>(null);
  const writes = mayWrite(me, mode);
  usePageCommands([
    {
      name: t("trust.upload"),
      why: writes ? null : t("trust.block.role", { mode: t(`mode.${mode}`) }),
      run: () => setOpen("upload"),
    },
    { name: t("trust.why"), run: () => setOpen("why") },
  ]);
  return (
    <Page
      title={t("trust.title")}
      lead={mode === "test" ? `${t("trust.lead")} ${t("trust.lead.test")}` : t("trust.lead")}
      actions={<Acts writes={writes} onOpen={setOpen} />}
    >
      <ErrorMessage error={error} />
      <Done deed={done} />
      {data && (
        <Held
          data={data}
          writes={writes}
          onOpen={setOpen}
          waiting={<Waiting data={data} me={me} onOpen={setUpdate} />}
          past={<History data={data} me={me} onOpen={setUpdate} />}
        />
      )}
      {open === "upload" && (
        <Upload
          mode={mode}
          onClose={() => setOpen(null)}
          onDone={(id) => {
            setOpen(null);
            setUpdate(id);
          }}
        />
      )}
      {open === "why" && <Why mode={mode} onClose={() => setOpen(null)} />}
      {update && data && (
        <UpdateSheet
          id={update}
          two={data.two_persons}
          me={me}
          onClose={() => setUpdate(null)}
          onDone={(text) => {
            setDone({ text });
            setUpdate(null);
          }}
        />
      )}
    </Page>
  );
}

type Open = (what: "upload" | "why") => void;

function Acts({ writes, onOpen }: { writes: boolean; onOpen: Open }) {
  return (
    <>
      <Button variant="default" onClick={() => onOpen("why")}>
        {t("trust.why")}
      </Button>
      {writes && <Button onClick={() => onOpen("upload")}>{t("trust.upload")}</Button>}
    </>
  );
}

function Held({
  data,
  writes,
  onOpen,
  waiting,
  past,
}: {
  data: Trusted;
  writes: boolean;
  onOpen: Open;
  waiting: ReactNode;
  past: ReactNode;
}) {
  if (data.countries.length === 0 && data.others.length === 0 && data.updates.length === 0)
    return (
      <Empty title={t("trust.empty.title")} text={t("trust.empty.text")}>
        <div className={css.empty}>
          {writes && <Button onClick={() => onOpen("upload")}>{t("trust.upload")}</Button>}
          <a href="/docs/operate/trust">{t("trust.empty.docs")}</a>
        </div>
      </Empty>
    );
  return (
    <>
      {data.two_persons && <p className={css.soft}>{t("trust.two")}</p>}
      <Warnings data={data} />
      {waiting}
      <Countries data={data} />
      <Lists data={data} />
      <Wallets data={data} />
      {past}
      <p className={css.soft}>
        <a href="/docs/operate/trust">{t("trust.empty.docs")}</a>
      </p>
    </>
  );
}

/** Whose list an update brought; nothing for what is no list in force. */
const scopeOf = ({ lists, revocation_lists }: Trusted, update: string): string => {
  const found = [...lists, ...revocation_lists].find((one) => one.update === update);
  return found ? countryName(found.scope) : "";
};

const firstWarnings = 6;

function Warnings({ data }: { data: Trusted }) {
  const { warnings, unusable } = data;
  const [all, setAll] = useState(false);
  const shown = all ? warnings : warnings.slice(0, firstWarnings);
  const of = (scope: string, purpose: string) => (purpose === "csca" ? countryName(scope) : scope);
  return (
    <Section title={t("trust.warnings")}>
      {warnings.length === 0 && unusable.length === 0 ? (
        <p className={css.soft}>{t("trust.warnings.none")}</p>
      ) : (
        <ul className={css.warnings}>
          {unusable.map(({ update, code, says }) => (
            <li key={update} data-shape="fail">
              <StateShape shape="fail" size={14} />
              <span>
                {[t("trust.unusable"), scopeOf(data, update), catalogueText(code, "title", says)]
                  .filter(Boolean)
                  .join(": ")}
              </span>
            </li>
          ))}
          {shown.map((one) => (
            <li key={`${one.kind} ${one.purpose} ${one.scope} ${one.update}`} data-shape={shapeOf(one)}>
              <StateShape shape={shapeOf(one)} size={14} />
              <span>
                {t(`trust.warning.${one.kind}`, {
                  name: of(one.scope, one.purpose),
                  day: dayOf(one.at),
                  n: daysSince(one.at),
                })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < warnings.length && (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
            {t("trust.more", { n: warnings.length - shown.length })}
          </Button>
        </div>
      )}
    </Section>
  );
}
