import { Checkbox } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import type { SessionFile } from "../../api/wire.ts";
import { DownloadButton } from "../parts/DownloadButton.tsx";
import { Panel } from "../parts/Panel.tsx";
import { queries } from "../queries.ts";
import { t, words } from "../words.ts";
import css from "./DataRetention.module.css";

/** Downloads the case file, with which the decision can be checked later without this server. */
export function CaseFile({ file }: { file: SessionFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [pictures, setPictures] = useState(false);
  if (!me.may.includes("reports.read") || me.masked.includes("reports.read")) return null;
  const { id, erased_at, keeping } = file.session;
  const gone = erased_at || keeping.pictures_erased_at;
  const why = !me.may.includes("evidence.read") ? "casefile.why.role" : gone ? "casefile.why.gone" : null;
  return (
    <Panel title={t("casefile.title")}>
      <div className={css.body}>
        <p className={css.quiet}>{t("casefile.text")}</p>
        <Checkbox
          label={t("casefile.pictures")}
          description={t(why ?? "casefile.pictures_hint")}
          checked={pictures && !why}
          disabled={Boolean(why)}
          onChange={(event) => setPictures(event.currentTarget.checked)}
        />
        <div className={css.acts}>
          <DownloadButton
            word={t("casefile.download")}
            name={`${id}-case.zip`}
            get={() =>
              api.GET("/v1/console/sessions/{id}/file", {
                params: { path: { id }, query: { pictures: pictures && !why } },
                parseAs: "blob",
              })
            }
          />
          <DownloadButton
            word={t("casefile.pdf")}
            name={`${id}-case.pdf`}
            get={() =>
              api.GET("/v1/console/sessions/{id}/file", {
                params: { path: { id }, query: { pictures: pictures && !why, as: "pdf", language: words.language } },
                parseAs: "blob",
              })
            }
          />
        </div>
      </div>
    </Panel>
  );
}
