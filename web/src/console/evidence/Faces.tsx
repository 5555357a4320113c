import { useState } from "react";
import type { Artifact, SessionFile } from "../../api/wire.ts";
import { Panel } from "../parts/Panel.tsx";
import { useReasons } from "../parts/reasons.ts";
import { t } from "../words.ts";
import css from "./Faces.module.css";
import { checksOf } from "./file.ts";
import { FaceRuler } from "./Ruler.tsx";

/** The newest artifact of a kind that is there, else the newest that says why it is not. */
function newest(artifacts: readonly Artifact[], kind: Artifact["kind"]): Artifact | undefined {
  const all = artifacts.filter((artifact) => artifact.kind === kind);
  return all.findLast(({ present, url }) => present && url) ?? all.at(-1);
}

/** The two faces at the same size, and how alike they are on the calibrated scale. */
export function Faces({ file }: { file: SessionFile }) {
  const match = checksOf(file).find(({ kind }) => kind === "face.match");
  const source = match?.finding?.portrait;
  const signed = source === "chip" || source === "wallet";
  const ofChip = new Set(file.captures.filter(({ kind }) => kind === "chip" || kind === "wallet").map(({ id }) => id));
  const portrait = newest(
    file.artifacts.filter(({ capture }) => ofChip.has(capture) === signed),
    "portrait",
  );
  const selfie = newest(file.artifacts, "selfie");
  // Where biometrics were declined there is no selfie, and nothing is cut out of the document: its picture shows the portrait.
  if (!selfie && !portrait?.url) return null;
  return (
    <Panel title={t("faces.title")}>
      <div className={css.row}>
        <Face
          artifact={portrait}
          name={t(source === "wallet" ? "faces.portrait_wallet" : signed ? "faces.portrait_chip" : "faces.portrait")}
        />
        <Face artifact={selfie} name={t("faces.selfie")} />
        <div className={css.scale}>
          {match?.lifecycle === "settled" && match.finding?.score !== undefined ? (
            <FaceRuler finding={match.finding} />
          ) : (
            <p className={css.none}>{t("faces.not_compared")}</p>
          )}
        </div>
      </div>
    </Panel>
  );
}

function Face({ artifact, name }: { artifact: Artifact | undefined; name: string }) {
  const [gone, setGone] = useState(false);
  const { reviewer } = useReasons();
  const url = artifact?.present ? artifact.url : undefined;
  return (
    <figure className={css.face}>
      {url && !gone ? (
        <img className={css.picture} src={url} alt={name} onError={() => setGone(true)} />
      ) : (
        <span className={css.missing} title={artifact?.absent ? reviewer(artifact.absent) : undefined}>
          {t(artifact?.present && !gone ? "faces.not_yours" : "faces.missing")}
        </span>
      )}
      <figcaption className={css.caption}>{name}</figcaption>
    </figure>
  );
}
