import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Two builds that share source but no chunk: `vite build --mode applicant` and `--mode console`.
const apps = { applicant: "applicant/index.html", console: "console/index.html" } as const;

const isApp = (mode: string): mode is keyof typeof apps => mode in apps;

/** In development one server answers for both apps, the way the Go server does. */
const pageOf = (url: string): string | undefined => {
  if (/^\/(v|verify)\//.test(url)) return "/applicant/index.html";
  if (/^\/(setup|login|join|forgot|reset|console)(\/|\?|$)/.test(url)) return "/console/index.html";
  return undefined;
};

export default defineConfig(({ mode, command }) => ({
  appType: "mpa",
  plugins: [
    react(),
    {
      name: "bonafide-pages",
      configureServer(server) {
        server.middlewares.use((req, _res, next) => {
          const page = req.url ? pageOf(req.url) : undefined;
          if (page) req.url = page;
          next();
        });
      },
    },
  ],
  ...(mode === "console" && command === "build" ? { html: { cspNonce: "__CSP_NONCE__" } } : {}),
  build: {
    outDir: "dist",
    emptyOutDir: false,
    target: ["chrome111", "safari16.4", "firefox114"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(isApp(mode)
      ? { assetsDir: `assets/${mode}`, rollupOptions: { input: apps[mode] }, manifest: `assets/${mode}/manifest.json` }
      : {}),
  },
  server: {
    port: 5173,
    proxy: { "/v1": process.env.BONAFIDE_URL ?? "http://localhost:8080" },
  },
}));
