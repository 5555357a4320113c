import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Analytics, Me, Mode } from "../../api/wire.ts";
import { developerQueries } from "../developers/queries.ts";
import { insightQueries } from "../insight/queries.ts";
import { queries } from "../queries.ts";
import { workflowQueries } from "../workflows/queries.ts";
import type { Facts } from "./facts.ts";

const trust = queryOptions({
  queryKey: ["trust", "live"],
  queryFn: () => unwrap(api.GET("/v1/console/trust", { params: { query: { mode: "live" } } })),
  staleTime: 60_000,
});

const sum = (counts: Readonly<Record<string, number>> | undefined) =>
  Object.values(counts ?? {}).reduce((all, n) => all + n, 0);

/** Reads the facts of the overview, each by the call of its own page. What somebody may not read is not asked for. */
export function useFacts(me: Me, figures: Analytics | undefined): { facts: Facts; begun: boolean; settled: boolean } {
  const may = (permission: string) => me.may.includes(permission);
  const both = <T>(ask: (mode: Mode) => T): [T, T] => [ask("live"), ask("test")];
  const [liveKeys, testKeys] = both(developerQueries.keys);
  const [liveHooks, testHooks] = both(developerQueries.endpoints);
  const [liveFlows, testFlows] = both(workflowQueries.all);
  const [live, test] = both((mode) => queries.sessions({ mode }));
  const keys = [
    useQuery({ ...liveKeys, enabled: may("keys.read") }),
    useQuery({ ...testKeys, enabled: may("keys.read") }),
  ];
  const hooks = [
    useQuery({ ...liveHooks, enabled: may("webhooks.read") }),
    useQuery({ ...testHooks, enabled: may("webhooks.read") }),
  ];
  const flows = [
    useQuery({ ...liveFlows, enabled: may("workflows.read") }),
    useQuery({ ...testFlows, enabled: may("workflows.read") }),
  ];
  const sees = may("sessions.read") && may("sessions.write");
  const counts = [useQuery({ ...live, enabled: sees }), useQuery({ ...test, enabled: sees })];
  const system = useQuery({ ...insightQueries.system, enabled: may("system.read") });
  const lists = useQuery({ ...trust, enabled: may("trust.write") });
  const whole = <T>(pages: { data: { items: T[] } | undefined }[]): T[] | undefined =>
    pages.every(({ data }) => data) ? pages.flatMap(({ data }) => data?.items ?? []) : undefined;
  const known = {
    keys: whole(keys),
    endpoints: whole(hooks),
    workflows: whole(flows),
    sessions: counts.every(({ data }) => data)
      ? { live: sum(counts[0]?.data?.counts), test: sum(counts[1]?.data?.counts) }
      : undefined,
    late: figures && may("cases.read") ? { mode: figures.mode, n: figures.queue.late } : undefined,
    findings: system.data?.findings,
    trust: lists.data,
  };
  const quick = [...keys, ...hooks, ...flows, ...counts];
  return {
    facts: {
      ...(known.keys ? { keys: known.keys } : {}),
      ...(known.endpoints ? { endpoints: known.endpoints } : {}),
      ...(known.workflows ? { workflows: known.workflows } : {}),
      ...(known.sessions ? { sessions: known.sessions } : {}),
      ...(known.late ? { late: known.late } : {}),
      ...(known.findings ? { findings: known.findings } : {}),
      ...(known.trust ? { trust: known.trust } : {}),
    },
    begun: quick.every((one) => !one.isLoading), // what the first steps rest on
    settled: [...quick, system, lists].every((one) => !one.isLoading), // the state of the system takes longer
  };
}
