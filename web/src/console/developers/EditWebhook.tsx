import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { WebhookEndpoint } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import { EndpointForm, type Said } from "./EndpointForm.tsx";
import { developerQueries } from "./queries.ts";

/** What is changed about an endpoint; what is left out stays. */
export type EndpointChange = Partial<Said> & { paused?: boolean };

/** Changes an endpoint, and reads it again. */
export async function changeEndpoint(id: string, body: EndpointChange): Promise<WebhookEndpoint> {
  const out = await unwrap(api.PATCH("/v1/console/webhook-endpoints/{id}", { params: { path: { id } }, body }));
  void client.invalidateQueries({ queryKey: ["endpoint", id] });
  void client.invalidateQueries({ queryKey: ["endpoints"] });
  return out;
}

type Props = { endpoint: WebhookEndpoint; reads: boolean; onClose: () => void };

/** Changes address, events and content of an endpoint. Its secret and its deliveries stay. */
export function EditWebhook({ endpoint, reads, onClose }: Props) {
  const { data, error } = useQuery(developerQueries.endpoints(endpoint.mode));
  const change = useMutation({
    mutationFn: (said: Said) => changeEndpoint(endpoint.id, said),
    onSuccess: onClose,
  });
  const { url, events, content } = endpoint;
  return (
    <Sheet size="lg" title={t("webhook.edit.title")} onClose={onClose}>
      <ErrorMessage error={error} />
      {data && (
        <EndpointForm
          was={{ url, events, content }}
          types={data.types}
          reads={reads}
          submit={t("webhook.edit.submit")}
          busy={change.isPending}
          error={change.error}
          onSubmit={(said) => change.mutate(said)}
        />
      )}
    </Sheet>
  );
}
