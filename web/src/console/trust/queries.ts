import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Mode } from "../../api/wire.ts";
import { client } from "../queries.ts";

export const trustQueries = {
  trusted: (mode: Mode) =>
    queryOptions({
      queryKey: ["trust", mode],
      queryFn: () => unwrap(api.GET("/v1/console/trust", { params: { query: { mode } } })),
      refetchInterval: 15_000,
    }),
  update: (update: string) =>
    queryOptions({
      queryKey: ["trust", "update", update],
      queryFn: () => unwrap(api.GET("/v1/console/trust/updates/{update}", { params: { path: { update } } })),
    }),
};

/** What an anchor of wallets is good for; a file that says so itself has neither. */
export type Said = { mode: Mode; purpose: string; scope: string; source?: string };

function formOf(file: File, { mode, purpose, scope, source = "" }: Said): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ mode, purpose, scope, source })) if (value) form.set(name, value);
  form.set("file", file);
  return form;
}

const at = (update: string) => ({ params: { path: { update } }, body: {} });

export const calls = {
  propose: (file: File, said: Said) =>
    unwrap(
      api.POST("/v1/console/trust/updates", {
        body: { file: "", mode: said.mode },
        bodySerializer: () => formOf(file, said),
      }),
    ),
  explain: (file: File, said: Said) =>
    unwrap(
      api.POST("/v1/console/trust/explanations", {
        body: { file: "", mode: said.mode },
        bodySerializer: () => formOf(file, said),
      }),
    ),
  accept: (update: string) => unwrap(api.POST("/v1/console/trust/updates/{update}/accept", at(update))),
  decline: (update: string) => unwrap(api.POST("/v1/console/trust/updates/{update}/decline", at(update))),
  undo: (update: string) => unwrap(api.POST("/v1/console/trust/updates/{update}/undo", at(update))),
};

export type Act = "accept" | "decline" | "undo";

/** What is shown of trust is asked for anew after each change. */
export const stale = () => void client.invalidateQueries({ queryKey: ["trust"] });
