import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import type { Mode, WorkflowSpec } from "../../api/wire.ts";
import { client } from "../queries.ts";

/** Whatever happened to a workflow, it and the list are read again. */
export const refresh = (workflow: string): void => {
  void client.invalidateQueries({ queryKey: ["workflow", workflow] });
  void client.invalidateQueries({ queryKey: ["workflows"] });
};

const at = (workflow: string) => ({ params: { path: { workflow } } });

export const workflowQueries = {
  all: (mode: Mode) =>
    queryOptions({
      queryKey: ["workflows", mode],
      queryFn: () => unwrap(api.GET("/v1/console/workflows", { params: { query: { mode } } })),
    }),
  one: (workflow: string) =>
    queryOptions({
      queryKey: ["workflow", workflow],
      queryFn: () => unwrap(api.GET("/v1/console/workflows/{workflow}", at(workflow))),
    }),
  version: (workflow: string, version: string) =>
    queryOptions({
      queryKey: ["workflow", workflow, version],
      queryFn: () =>
        unwrap(
          api.GET("/v1/console/workflows/{workflow}/versions/{version}", { params: { path: { workflow, version } } }),
        ),
    }),
  differences: (workflow: string, version: string, other: string) =>
    queryOptions({
      queryKey: ["workflow", workflow, version, "differences", other],
      queryFn: () =>
        unwrap(
          api.GET("/v1/console/workflows/{workflow}/versions/{version}/differences", {
            params: { path: { workflow, version }, query: other ? { with: other } : {} },
          }),
        ),
    }),
  figures: (workflow: string) =>
    queryOptions({
      queryKey: ["workflow", workflow, "figures"],
      queryFn: () => unwrap(api.GET("/v1/console/workflows/{workflow}/figures", at(workflow))),
    }),
  walletQuery: (spec: WorkflowSpec) =>
    queryOptions({
      queryKey: ["wallet-query", spec],
      queryFn: () => unwrap(api.POST("/v1/console/workflows/wallet-query", { body: { spec } })),
      gcTime: 0,
    }),
  language: queryOptions({
    queryKey: ["rule-language"],
    queryFn: () => unwrap(api.GET("/v1/console/workflows/language")),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  rates: queryOptions({
    queryKey: ["error-rates"],
    queryFn: () => unwrap(api.GET("/v1/console/workflows/thresholds")),
    staleTime: Number.POSITIVE_INFINITY,
  }),
};

export const calls = {
  make: (mode: Mode, name: string) => unwrap(api.POST("/v1/console/workflows", { body: { mode, name } })),
  draft: (workflow: string) =>
    unwrap(api.POST("/v1/console/workflows/{workflow}/draft", { ...at(workflow), body: {} })),
  draftOffered: (workflow: string) =>
    unwrap(api.POST("/v1/console/workflows/{workflow}/draft", { ...at(workflow), body: { offered: true } })),
  dismissOffer: async (workflow: string) => {
    const { response, error } = await api.POST("/v1/console/workflows/{workflow}/offer/dismiss", {
      ...at(workflow),
      body: {},
    });
    if (!response.ok) throw failureOf(response.status, error);
  },
  save: (workflow: string, revision: number, spec: WorkflowSpec) =>
    unwrap(api.PUT("/v1/console/workflows/{workflow}/draft", { ...at(workflow), body: { revision, spec } })),
  discard: async (workflow: string, revision: number) => {
    const { response, error } = await api.POST("/v1/console/workflows/{workflow}/draft/discard", {
      ...at(workflow),
      body: { revision },
    });
    if (!response.ok) throw failureOf(response.status, error);
  },
  publish: (workflow: string, revision: number) =>
    unwrap(api.POST("/v1/console/workflows/{workflow}/publish", { ...at(workflow), body: { revision } })),
  logo: (file: File) => {
    const form = new FormData();
    form.set("logo", file);
    return unwrap(api.POST("/v1/console/workflows/logos", { body: { logo: "" }, bodySerializer: () => form }));
  },
  check: (mode: Mode, spec: WorkflowSpec) => unwrap(api.POST("/v1/console/workflows/check", { body: { mode, spec } })),
  compare: (mode: Mode, before: WorkflowSpec, after: WorkflowSpec) =>
    unwrap(api.POST("/v1/console/workflows/compare", { body: { mode, before, after } })),
  simulate: (workflow: string, spec: WorkflowSpec, session?: string) =>
    unwrap(
      api.POST("/v1/console/workflows/{workflow}/simulate", {
        ...at(workflow),
        body: { spec, limit: 25, ...(session ? { session } : {}) },
      }),
    ),
};
