import { Button, CopyButton, Textarea } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CheckpointDocument } from "../../api/wire.ts";
import { downloadJSON, jsonOf } from "../parts/download.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { numeral, t } from "../words.ts";
import css from "./Audit.module.css";
import { readCheckpoint } from "./proof.ts";
import { auditQueries, type Comparison, compare } from "./queries.ts";

/** The newest checkpoint: size, root, time and key, to be kept elsewhere and compared with one that was. */
export function Checkpoint() {
  const { data, error } = useQuery(auditQueries.checkpoint);
  const [comparing, setComparing] = useState(false);
  const proof = data?.proof;
  return (
    <section className={css.checkpoint} aria-labelledby="checkpoint">
      <header className={css.head}>
        <h2 id="checkpoint">{t("audit.checkpoint.title")}</h2>
        {data && (
          <State shape={data.signature === null ? "idle" : data.signature ? "pass" : "fail"}>
            {t(
              data.signature === null
                ? "audit.verdict.unsigned"
                : data.signature
                  ? "audit.verdict.signed"
                  : "audit.verdict.not_signed",
            )}
          </State>
        )}
      </header>
      <ErrorMessage error={error} />
      <dl className={css.facts}>
        <dt>{t("audit.checkpoint.size")}</dt>
        <dd>{proof ? numeral(proof.size) : "…"}</dd>
        <dt>{t("audit.checkpoint.root")}</dt>
        <dd>
          <code>{proof?.root ?? "…"}</code>
        </dd>
        <dt>{t("audit.checkpoint.at")}</dt>
        <dd>{proof ? <Time iso={proof.signed_at} /> : "…"}</dd>
        <dt>{t("audit.checkpoint.key")}</dt>
        <dd>
          <code>{proof?.public_key ?? "…"}</code>
        </dd>
      </dl>
      <div className={css.acts}>
        <CopyButton value={proof ? jsonOf(proof) : ""}>
          {({ copied, copy }) => (
            <Button variant="default" size="compact-sm" disabled={!proof} onClick={copy}>
              <span aria-live="polite">{t(copied ? "app.copied" : "audit.checkpoint.copy")}</span>
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          size="compact-sm"
          disabled={!proof}
          onClick={() => proof && downloadJSON(`checkpoint-${proof.size}.json`, proof)}
        >
          {t("audit.checkpoint.download")}
        </Button>
        <Button variant="default" size="compact-sm" disabled={!proof} onClick={() => setComparing(true)}>
          {t("audit.checkpoint.compare")}
        </Button>
        <span className={css.quiet}>{t("audit.checkpoint.text")}</span>
      </div>
      {comparing && proof && <Compare newest={proof} onClose={() => setComparing(false)} />}
    </section>
  );
}

function Compare({ newest, onClose }: { newest: CheckpointDocument; onClose: () => void }) {
  const [text, setText] = useState("");
  const work = useMutation({ mutationFn: () => compare(readCheckpoint(text), newest) });
  return (
    <Sheet size="lg" title={t("audit.compare.title")} onClose={onClose}>
      <form
        className={css.compare}
        onSubmit={(event) => {
          event.preventDefault();
          work.mutate();
        }}
      >
        <p className={css.quiet}>{t("audit.compare.text")}</p>
        <Textarea
          data-autofocus
          label={t("audit.compare.label")}
          description={t("audit.compare.hint")}
          autosize
          minRows={6}
          maxRows={12}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            work.reset();
          }}
        />
        <ErrorMessage error={work.error} />
        <div role="status">{work.data && <Outcome comparison={work.data} newest={newest} />}</div>
        <div className={css.acts}>
          <Button type="submit" loading={work.isPending} disabled={text.trim() === ""}>
            {t("audit.compare.submit")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

const shapes = {
  grown: "pass",
  no_checkpoint: "unsure",
  unchecked: "idle",
  other_key: "fail",
  not_signed: "fail",
  shorter: "fail",
  never_signed: "fail",
  differs: "fail",
} as const;

function Outcome({ comparison, newest }: { comparison: Comparison; newest: CheckpointDocument }) {
  const { outcome } = comparison;
  return (
    <div className={css.outcome} data-shape={shapes[outcome]}>
      <State shape={shapes[outcome]}>{t(`audit.compare.${outcome}`)}</State>
      <p>{t(`audit.compare.${outcome}.text`)}</p>
      {comparison.outcome === "grown" && (
        <>
          <p>{t("audit.compare.sizes", { before: comparison.proof.older.size, now: newest.size })}</p>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              downloadJSON(`consistency-${comparison.proof.older.size}-${newest.size}.json`, comparison.proof)
            }
          >
            {t("audit.proof.download")}
          </Button>
        </>
      )}
    </div>
  );
}
