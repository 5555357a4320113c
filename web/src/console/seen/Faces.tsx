import { useQueries } from "@tanstack/react-query";
import type { SessionFile } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Seen.module.css";

/** The face of a session as it was cut out: of the selfie, else of the document. */
function faceOf(file: SessionFile): string | undefined {
  const cut = (kind: string) => file.artifacts.find((one) => one.kind === kind && one.present && one.url)?.url;
  return cut("selfie") ?? cut("portrait");
}

/** The faces of sessions side by side. Each look is on record, so they are shown on request. */
export function SeenFaces({ ids }: { ids: readonly string[] }) {
  const files = useQueries({ queries: ids.map((id) => queries.session(id)) });
  return (
    <div className={css.faces}>
      {files.map(({ data, error }, i) => {
        const id = ids[i] ?? "";
        const face = data && faceOf(data);
        return (
          <figure key={id}>
            {face ? (
              <img src={face} alt={t("seen.face_of", { session: shortId(id) })} />
            ) : (
              <div className={css.nothing}>{data ? t("seen.no_face") : t("app.loading")}</div>
            )}
            <figcaption>{data?.session.external_reference || shortId(id)}</figcaption>
            <ErrorMessage error={error} />
          </figure>
        );
      })}
    </div>
  );
}
