import "./base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { brandOf, wear } from "../ui/brand.ts";
import { App, placeOf } from "./App.tsx";
import { withHost } from "./host/withHost.ts";
import { peekAhead } from "./start/Start.tsx";
import { storage } from "./storage.ts";

wear(brandOf(document).colour);
withHost(({ post }) => post({ type: "ready" }));
const place = placeOf(location.pathname);
if (place.at === "start" && !storage.sessionOf(place.link)) peekAhead(place.link);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
