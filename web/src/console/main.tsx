import "./mantine.css";
import "./console.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { repeatAfterProof } from "./door/proof.ts";
import { client } from "./queries.ts";
import { router } from "./router.tsx";
import { theme, variables } from "./theme.ts";
import { words } from "./words.ts";

// The server puts the nonce of this answer's content policy into the page; styles made at run time carry it.
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

repeatAfterProof();
document.documentElement.lang = words.locale;

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
