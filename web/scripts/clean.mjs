// Empties dist but for its placeholder, which keeps `go build` working before the first web build.
import { readdirSync, rmSync } from "node:fs";

const dist = new URL("../dist/", import.meta.url);
for (const name of readdirSync(dist)) if (name !== ".gitkeep") rmSync(new URL(name, dist), { recursive: true });
