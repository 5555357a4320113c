import { items, nothing, open, page, signedIn } from "./desk.ts";
import { session } from "./specimen.ts";
import type { State } from "./state.ts";

export const listStates: State[] = [
  { name: "console-sessions", path: "/console/sessions", api: signedIn, sees: "customer-4712" },
  {
    name: "console-sessions-export",
    path: "/console/sessions",
    api: { ...signedIn, "GET /v1/console/sessions": { json: { ...page, total: 23_456 } } },
    act: open("Export"),
    sees: "The first 10,000 of 23,456 rows",
  },
  {
    name: "console-sessions-filtered",
    path: "/console/sessions?state=in_review",
    api: { ...signedIn, "GET /v1/console/sessions": { json: { ...page, items: items.slice(1, 2), next: "" } } },
    sees: "customer-4710",
  },
  {
    name: "console-sessions-narrowed",
    path: "/console/sessions?outcome=declined&reason=document.expired&country=UTO&from=2026-11-01",
    api: { ...signedIn, "GET /v1/console/sessions": { json: { ...page, items: items.slice(3, 4), next: "" } } },
    act: async ({ page: tab }) => {
      await tab.getByText("customer-4708").waitFor();
      await tab.keyboard.press("j");
    },
    sees: "customer-4708",
  },
  {
    name: "console-sessions-views",
    path: "/console/sessions?state=in_review",
    api: signedIn,
    act: open("View: To look at"),
    sees: "Delete “To look at”",
  },
  {
    name: "console-person",
    path: "/console/sessions",
    api: signedIn,
    act: async (shown) => {
      await open("Find a person …")(shown);
      await shown.page.getByRole("dialog").getByRole("button", { name: "Search" }).click();
    },
    sees: "Enter a name or a document number.",
  },
  {
    name: "console-person-found",
    path: "/console/sessions",
    api: { ...signedIn, "POST /v1/console/sessions/search": { json: { items: items.slice(2, 4), next: "" } } },
    act: async (shown) => {
      await open("Find a person …")(shown);
      await shown.page.getByLabel("Name").fill("Eriksson Anna");
      await shown.page.getByRole("dialog").getByRole("button", { name: "Search" }).click();
    },
    sees: "Sessions for: Eriksson Anna",
  },
  {
    name: "console-sessions-empty",
    path: "/console/sessions",
    api: { ...signedIn, "GET /v1/console/sessions": { json: nothing } },
    sees: "No sessions yet",
  },
  {
    name: "console-sessions-none",
    path: "/console/sessions?q=nobody",
    api: { ...signedIn, "GET /v1/console/sessions": { json: nothing } },
    sees: "No matches",
  },
  {
    name: "console-new-session",
    path: "/console/sessions",
    api: signedIn,
    act: open("New test session"),
    sees: "Create session",
  },
  {
    name: "console-new-session-ready",
    path: "/console/sessions",
    api: {
      ...signedIn,
      "POST /v1/console/sessions": {
        json: session({ state: "created", url: "http://localhost:8080/v/Xr2bq0bqj3vJ0rC2v8v9w0x1y2Zk3m4n5p6q7r8s9t0" }),
      },
    },
    act: async (shown) => {
      await open("New test session")(shown);
      await open("Create session")(shown);
    },
    sees: "The link is ready",
  },
  {
    name: "console-new-live",
    path: "/console/sessions?mode=live",
    api: signedIn,
    act: open("New live link"),
    sees: "The link asks for real documents.",
  },
  {
    name: "console-new-list",
    path: "/console/sessions?mode=live",
    api: signedIn,
    act: async (shown) => {
      await open("New live link")(shown);
      await shown.page.getByRole("radio", { name: "A list of people" }).check();
      await shown.page.getByLabel("List (CSV)").fill("reference,iban\norder-17,x");
      await shown.page.getByRole("button", { name: "Create links" }).click();
    },
    sees: "There is no column “iban”.",
  },
  {
    name: "console-new-list-ready",
    path: "/console/sessions?mode=live",
    api: {
      ...signedIn,
      "POST /v1/console/sessions": {
        json: session({
          mode: "live",
          state: "created",
          url: "https://id.example/v/Xr2bq0bqj3vJ0rC2v8v9w0x1y2Zk3m4n5p6q7r8s9t0",
        }),
      },
    },
    act: async (shown) => {
      await open("New live link")(shown);
      await shown.page.getByRole("radio", { name: "A list of people" }).check();
      await shown.page.getByLabel("List (CSV)").fill("Reference;First name;Last name\norder-17;Ada;Doe\norder-18;Bo;");
      await shown.page.getByRole("button", { name: "Create links" }).click();
    },
    sees: "2 links are ready",
  },
  {
    name: "console-palette",
    path: "/console/sessions",
    api: signedIn,
    act: async ({ page: tab }) => {
      await tab.getByText("customer-4712").waitFor();
      await tab.keyboard.press("Control+k");
      await tab.getByRole("combobox", { name: "Type a page" }).fill("rev");
    },
    sees: "Sessions · In review",
  },
];
