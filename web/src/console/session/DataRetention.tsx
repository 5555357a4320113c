import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { SessionFile } from "../../api/wire.ts";
import { usePageCommands } from "../parts/commands.ts";
import { DownloadButton } from "../parts/DownloadButton.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { tailOf } from "../parts/ids.ts";
import { Panel } from "../parts/Panel.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client, queries } from "../queries.ts";
import { absolute, t } from "../words.ts";
import { isCompared, whyNoErasing, whyNoExport, whyNoHold } from "./can.ts";
import css from "./DataRetention.module.css";

const again = (id: string) => client.invalidateQueries({ queryKey: ["session", id] });

/** Until when the data of a session is kept, and what can be done about it. For an erased session, what is left and the receipt. */
export function DataRetention({ file }: { file: SessionFile }) {
  const { keeping, erased_at } = file.session;
  return (
    <Panel title={t("keeping.title")}>
      <div className={css.body}>
        {erased_at ? <Erased file={file} at={erased_at} /> : <Dates keeping={keeping} />}
        {!erased_at && <Acts file={file} />}
        {file.holds.length > 0 && <Holds file={file} />}
      </div>
    </Panel>
  );
}

function Dates({ keeping }: { keeping: SessionFile["session"]["keeping"] }) {
  const { pictures_until, report_until, pictures_erased_at, held_since } = keeping;
  const until = held_since ? "keeping.until_held" : "keeping.until";
  return (
    <>
      {held_since && (
        <p className={css.held}>
          <strong>{t("keeping.held")}</strong> {t("keeping.held_since", { at: absolute(held_since) })}
        </p>
      )}
      {report_until ? (
        <dl className={css.dates}>
          <dt>{t("keeping.pictures")}</dt>
          <dd>
            {pictures_erased_at
              ? t("keeping.erased_at", { at: absolute(pictures_erased_at) })
              : t(until, { at: absolute(pictures_until ?? report_until) })}
          </dd>
          <dt>{t("keeping.report")}</dt>
          <dd>{t(until, { at: absolute(report_until) })}</dd>
        </dl>
      ) : (
        <p className={css.quiet}>{t("keeping.not_ended")}</p>
      )}
    </>
  );
}

/** What is left of an erased session, and the receipt. */
function Erased({ file, at }: { file: SessionFile; at: string }) {
  const { receipt } = file;
  return (
    <>
      <p>
        <strong>{t("keeping.gone", { at: absolute(at) })}</strong>
      </p>
      <p className={css.quiet}>{t("keeping.left")}</p>
      {receipt && (
        <>
          <dl className={css.dates}>
            <dt>{t("keeping.state")}</dt>
            <dd>{t(receipt.finished_at ? "keeping.finished" : "keeping.unfinished")}</dd>
            <dt>{t("keeping.position")}</dt>
            <dd>{receipt.audit.position ?? t("keeping.no_position")}</dd>
            <dt>{t("keeping.digest")}</dt>
            <dd className={css.digest}>
              <code>{receipt.statement_digest}</code>
            </dd>
          </dl>
          <div className={css.acts}>
            <Button
              component="a"
              variant="default"
              href={`/v1/console/sessions/${file.session.id}/receipt`}
              download={`${file.session.id}-receipt.json`}
            >
              {t("keeping.receipt")}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function Export({ id }: { id: string }) {
  return (
    <DownloadButton
      word={t("keeping.export")}
      name={`${id}.zip`}
      get={() => api.GET("/v1/console/sessions/{id}/export", { params: { path: { id } }, parseAs: "blob" })}
    />
  );
}

function Acts({ file }: { file: SessionFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [open, setOpen] = useState<"erase" | "hold" | "face" | null>(null);
  const { id, keeping } = file.session;
  const lift = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/sessions/{id}/lift-hold", { params: { path: { id } } })),
    onSuccess: () => again(id),
  });
  const no = { erase: whyNoErasing(me, file), hold: whyNoHold(me), export: whyNoExport(me) };
  const mayHold = no.hold === null;
  const acts = { hold: () => setOpen("hold"), lift: () => lift.mutate(), erase: () => setOpen("erase") };
  usePageCommands(
    mayHold
      ? [
          keeping.held_since
            ? { name: t("keeping.lift"), run: acts.lift }
            : { name: t("keeping.hold"), run: acts.hold },
          { name: t("keeping.erase"), why: no.erase && t(no.erase), run: acts.erase },
        ]
      : [],
  );
  if (!mayHold && no.export) return null;
  return (
    <>
      <ErrorMessage error={lift.error} />
      <div className={css.acts}>
        {!no.export && <Export id={id} />}
        {mayHold &&
          (keeping.held_since ? (
            <Button variant="default" loading={lift.isPending} onClick={acts.lift}>
              {t("keeping.lift")}
            </Button>
          ) : (
            <Button variant="default" onClick={acts.hold}>
              {t("keeping.hold")}
            </Button>
          ))}
        {mayHold && isCompared(file) && (
          <Button variant="default" disabled={Boolean(no.erase)} onClick={() => setOpen("face")}>
            {t("keeping.face")}
          </Button>
        )}
        {mayHold && (
          <Button variant="light" color="red" disabled={Boolean(no.erase)} onClick={acts.erase}>
            {t("keeping.erase")}
          </Button>
        )}
      </div>
      {no.erase && <p className={css.quiet}>{t(no.erase)}</p>}
      {open === "erase" && <Erase file={file} onClose={() => setOpen(null)} />}
      {open === "face" && <WithdrawFace id={id} onClose={() => setOpen(null)} />}
      {open === "hold" && <Hold id={id} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Asks twice: what is erased does not come back. */
function Erase({ file, onClose }: { file: SessionFile; onClose: () => void }) {
  const { id, external_reference, state } = file.session;
  const [typed, setTyped] = useState("");
  const word = external_reference || tailOf(id);
  const erase = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/sessions/{id}/erase", { params: { path: { id } } })),
    onSuccess: async () => {
      await again(id);
      onClose();
    },
  });
  const final = ["approved", "declined", "expired", "cancelled"].includes(state);
  return (
    <Sheet onClose={onClose} title={t("keeping.erase_title", { name: external_reference || id })} size="lg">
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === word) erase.mutate();
        }}
      >
        <ErrorMessage error={erase.error} />
        <p>{t("keeping.erase_what")}</p>
        {!final && <p>{t("keeping.erase_unfinished")}</p>}
        <p>
          <strong>{t("keeping.erase_never")}</strong>
        </p>
        <TextInput
          label={t("keeping.erase_type", { word })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <div className={css.acts}>
          <Button type="submit" color="red.9" loading={erase.isPending} disabled={typed.trim() !== word}>
            {t("keeping.erase_now")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("keeping.keep")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

/** Says what goes before the consent to compare a face is taken back: it does not come back. */
function WithdrawFace({ id, onClose }: { id: string; onClose: () => void }) {
  const withdraw = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/sessions/{id}/withdraw-face", { params: { path: { id } } })),
    onSuccess: async () => {
      await again(id);
      onClose();
    },
  });
  return (
    <Sheet onClose={onClose} title={t("keeping.face_title")} size="lg">
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          withdraw.mutate();
        }}
      >
        <ErrorMessage error={withdraw.error} />
        <p>{t("keeping.face_what")}</p>
        <p>{t("keeping.face_stays")}</p>
        <div className={css.acts}>
          <Button type="submit" color="red.9" loading={withdraw.isPending}>
            {t("keeping.face_now")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

function Hold({ id, onClose }: { id: string; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const hold = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/v1/console/sessions/{id}/hold", { params: { path: { id } }, body: { reason: reason.trim() } })),
    onSuccess: async () => {
      await again(id);
      onClose();
    },
  });
  return (
    <Sheet onClose={onClose} title={t("keeping.hold_title")} size="lg">
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          hold.mutate();
        }}
      >
        <ErrorMessage error={hold.error} />
        <p>{t("keeping.hold_what")}</p>
        <Textarea
          label={t("keeping.hold_reason")}
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" loading={hold.isPending} disabled={reason.trim() === ""}>
          {t("keeping.hold_now")}
        </Button>
      </form>
    </Sheet>
  );
}

function Holds({ file }: { file: SessionFile }) {
  return (
    <ul className={css.holds}>
      {file.holds.map((hold) => (
        <li key={hold.set_at}>
          {hold.reason || t("keeping.reason_gone")}
          <span className={css.quiet}>
            {" "}
            {hold.lifted_at
              ? t("keeping.hold_was", { from: absolute(hold.set_at), to: absolute(hold.lifted_at) })
              : t("keeping.hold_is", { from: absolute(hold.set_at) })}
          </span>
        </li>
      ))}
    </ul>
  );
}
