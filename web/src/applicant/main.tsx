import "./base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { brandOf, wear } from "../ui/brand.ts";
import { App } from "./App.tsx";
import { withHost } from "./host.ts";

wear(brandOf(document).colour);
withHost(({ tell }) => tell({ type: "ready" }));
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
