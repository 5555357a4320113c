import { Button, CopyButton } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import type { WebhookEndpoint } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Done, Page } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import cell from "../parts/Table.module.css";
import { client, queries } from "../queries.ts";
import { absolute, t } from "../words.ts";
import { Deliveries } from "./Deliveries.tsx";
import css from "./Developers.module.css";
import { changeEndpoint, EditWebhook } from "./EditWebhook.tsx";
import { Notice } from "./Notice.tsx";
import { developerQueries } from "./queries.ts";
import { Secret } from "./Secret.tsx";
import { Health, readsSessions } from "./Webhooks.tsx";

/** One endpoint: how it is, what was sent to it, and what can be done. */
export function Webhook() {
  const { id } = useParams({ from: "/console/developers/webhooks/$id" });
  const { data: me } = useSuspenseQuery(queries.me);
  const { data: endpoint } = useSuspenseQuery(developerQueries.endpoint(id));
  const [asking, setAsking] = useState<"edit" | "rotate" | "remove" | null>(null);
  const may = me.may.includes("webhooks.write");
  const test = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/v1/console/webhook-endpoints/{id}/test", { params: { path: { id } }, body: {} })),
    onMutate: (): void => start.reset(), // what was done last is said
    onSuccess: () => void client.invalidateQueries({ queryKey: ["deliveries", id] }),
  });
  const start = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/v1/console/webhook-endpoints/{id}/start", { params: { path: { id } }, body: {} })),
    onMutate: (): void => test.reset(),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["endpoint", id] });
      void client.invalidateQueries({ queryKey: ["endpoints"] });
    },
  });
  const pause = useMutation({
    mutationFn: (paused: boolean) => changeEndpoint(id, { paused }),
    onMutate: (): void => {
      test.reset();
      start.reset();
    },
  });
  const stopped = endpoint.stopped_at !== null;
  const paused = endpoint.paused_at !== null;
  const actions = may && (
    <>
      {stopped ? (
        <Button loading={start.isPending} onClick={() => start.mutate()}>
          {t("webhook.start")}
        </Button>
      ) : (
        <>
          {!paused && (
            <Button loading={test.isPending} onClick={() => test.mutate()}>
              {t("webhook.test")}
            </Button>
          )}
          <Button
            variant={paused ? "filled" : "default"}
            loading={pause.isPending}
            onClick={() => pause.mutate(!paused)}
          >
            {t(paused ? "webhook.resume" : "webhook.pause")}
          </Button>
        </>
      )}
      <Button variant="default" onClick={() => setAsking("edit")}>
        {t("webhook.edit")}
      </Button>
      <Button variant="default" onClick={() => setAsking("rotate")}>
        {t("webhook.rotate")}
      </Button>
      <Button variant="default" onClick={() => setAsking("remove")}>
        {t("webhook.remove")}
      </Button>
    </>
  );
  return (
    <Page title={endpoint.url} actions={actions}>
      <div className={css.facts}>
        <Health endpoint={endpoint} />
        <span>
          {t("webhook.events")}: {endpoint.events.length === 0 ? t("webhooks.all_events") : endpoint.events.join(", ")}
        </span>
        <span>
          {t("webhooks.content")}: {t(`webhooks.content.${endpoint.content}`)}
        </span>
        {endpoint.old_secret_until && <span>{t("webhook.both", { when: absolute(endpoint.old_secret_until) })}</span>}
        <code className={cell.code}>{endpoint.id}</code>
        <CopyButton value={endpoint.url}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {t(copied ? "app.copied" : "webhook.copy")}
            </Button>
          )}
        </CopyButton>
      </div>
      {endpoint.stopped_at && (
        <Notice title={t("webhook.stopped")}>
          {t("webhook.stopped.text", { when: absolute(endpoint.stopped_at) })}
        </Notice>
      )}
      {endpoint.paused_at && !stopped && (
        <Notice title={t("webhook.paused")}>{t("webhook.paused.text", { when: absolute(endpoint.paused_at) })}</Notice>
      )}
      <ErrorMessage error={test.error ?? start.error ?? pause.error} />
      <Done
        deed={
          !stopped && start.data
            ? { text: t("webhook.started") }
            : !stopped && test.data
              ? { text: t("webhook.tested") }
              : null
        }
      />
      <Deliveries endpoint={id} may={may && !stopped && !paused} />
      {asking === "edit" && (
        <EditWebhook endpoint={endpoint} reads={readsSessions(me, endpoint.mode)} onClose={() => setAsking(null)} />
      )}
      {asking === "rotate" && <Rotate endpoint={endpoint} onClose={() => setAsking(null)} />}
      {asking === "remove" && <Remove endpoint={endpoint} onClose={() => setAsking(null)} />}
    </Page>
  );
}

function Rotate({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { id } = endpoint;
  const rotate = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/v1/console/webhook-endpoints/{id}/rotate", { params: { path: { id } }, body: {} })),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["endpoint", id] }),
  });
  return (
    <Sheet size="lg" title={t(rotate.data ? "webhook.rotated" : "webhook.rotate.title")} onClose={onClose}>
      {rotate.data ? (
        <Secret label={t("webhooks.secret")} value={rotate.data.secret ?? ""}>
          <Button variant="default" onClick={onClose}>
            {t("developers.done")}
          </Button>
        </Secret>
      ) : (
        <div className={css.form}>
          <p className={css.soft}>{t("webhook.rotate.text")}</p>
          <ErrorMessage error={rotate.error} />
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {t("webhook.rotate.submit")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

function Remove({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: async () => {
      const { response, error } = await api.DELETE("/v1/console/webhook-endpoints/{id}", {
        params: { path: { id: endpoint.id } },
      });
      if (!response.ok) throw failureOf(response.status, error);
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["endpoints"] });
      void navigate({ to: "/console/developers/webhooks", search: endpoint.mode === "live" ? { mode: "live" } : {} });
    },
  });
  return (
    <Sheet size="lg" title={t("webhook.remove.title")} onClose={onClose}>
      <div className={css.form}>
        <p className={css.soft}>{t("webhook.remove.text", { url: endpoint.url })}</p>
        <ErrorMessage error={remove.error} />
        <Button loading={remove.isPending} onClick={() => remove.mutate()}>
          {t("webhook.remove")}
        </Button>
      </div>
    </Sheet>
  );
}
