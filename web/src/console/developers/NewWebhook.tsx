import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import type { EventKind, Mode } from "../../api/wire.ts";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Developers.module.css";
import { EndpointForm, type Said } from "./EndpointForm.tsx";
import { Secret } from "./Secret.tsx";

type Props = { mode: Mode; types: readonly EventKind[]; reads: boolean; onClose: () => void };

/** Makes a webhook endpoint and shows its signing secret, once. */
export function NewWebhook({ mode, types, reads, onClose }: Props) {
  const make = useMutation({
    mutationFn: ({ url, events, content }: Said) =>
      unwrap(
        api.POST("/v1/console/webhook-endpoints", {
          body: { mode, url, content, ...(events.length > 0 ? { events } : {}) },
        }),
      ),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["endpoints"] }),
  });
  return (
    <Sheet size="lg" title={t(make.data ? "webhooks.ready" : `webhooks.make.${mode}`)} onClose={onClose}>
      {make.data ? (
        <>
          <Secret label={t("webhooks.secret")} value={make.data.secret ?? ""}>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link
                  to="/console/developers/webhooks/$id"
                  params={{ id: make.data.id }}
                  search={mode === "live" ? { mode } : {}}
                  {...props}
                />
              )}
            >
              {t("webhooks.see")}
            </Button>
          </Secret>
          <p className={css.soft}>{t("webhooks.secret_hint")}</p>
        </>
      ) : (
        <EndpointForm
          was={{ url: "", events: [], content: reads ? "reference" : "ids" }}
          types={types}
          reads={reads}
          submit={t("webhooks.submit")}
          busy={make.isPending}
          error={make.error}
          onSubmit={(said) => make.mutate(said)}
        />
      )}
    </Sheet>
  );
}
