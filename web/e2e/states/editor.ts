import { signedIn } from "./desk.ts";
import type { State } from "./state.ts";
import { draftPath, draftVersion, language, workflowApi, workflowPage } from "./workflows.ts";

/** The editor with a draft that asks for something more. */
const asking = (more: Partial<typeof draftVersion.spec>) => ({
  ...signedIn,
  ...workflowApi,
  "GET /v1/console/workflows/language": {
    json: {
      ...language,
      checks: [
        ...language.checks,
        ...["duplicate.document", "duplicate.person", "duplicate.face", "blocklist.entries", "velocity.counts"].map(
          (check) => ({ check, always: false, selfie: check === "duplicate.face", signal: false }),
        ),
      ],
    },
  },
  [`GET ${draftPath}`]: { json: { ...draftVersion, issues: [], spec: { ...draftVersion.spec, ...more } } },
});

const query = {
  credentials: [
    {
      id: "other_1",
      format: "dc+sd-jwt",
      meta: { vct_values: ["https://credentials.example/degree"] },
      claims: [{ path: ["degree", "title"] }, { path: ["university"] }],
    },
  ],
};

export const editorStates: State[] = [
  {
    name: "console-workflow-gallery",
    path: workflowPage,
    api: asking({
      required: [...draftVersion.spec.required, "duplicate.document", "duplicate.face", "velocity.counts"],
      seen: {
        again: true,
        address_hour: 5,
        gallery: {
          consent: "Your face is compared with those of our other customers, so that nobody opens two accounts.",
          fpir: "1e-2",
          months: 12,
          name: "customers",
        },
      },
    }),
    act: async ({ page }) => {
      const seen = page.getByRole("group", { name: "Seen before" });
      await seen.evaluate((group) => group.scrollIntoView({ block: "start" }));
    },
    sees: "Seen before",
  },
  {
    name: "console-workflow-credentials",
    path: workflowPage,
    api: {
      ...asking({
        wallet: "offered",
        wallet_others: [
          {
            format: "dc+sd-jwt",
            type: "https://credentials.example/degree",
            claims: [{ path: ["degree", "title"] }, { path: ["university"] }],
          },
        ],
      }),
      "POST /v1/console/workflows/wallet-query": { json: { query } },
    },
    act: async ({ page }) => {
      const others = page.getByRole("group", { name: "Other credentials", exact: true });
      await others.getByText("Request sent to wallets").click();
      await others.getByText('"other_1"').waitFor();
      await others.evaluate((group) => group.scrollIntoView({ block: "start" }));
    },
    sees: "Other credentials",
  },
];
