import "./base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { brandOf, wear } from "../ui/brand.ts";
import { App } from "./App.tsx";

wear(brandOf(document).colour);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
