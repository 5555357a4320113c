import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The third build: @bonafide/web, for the integrator's own page. React stays the integrator's.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  publicDir: false,
  build: {
    target: ["chrome111", "safari16.4", "firefox114"],
    lib: { entry: { index: "src/index.ts", react: "src/react.tsx" }, formats: ["es"] },
    minify: true,
    // Each file can be taken alone: the component imports the file beside it, which imports nothing.
    rollupOptions: { external: [/^react/, /\/index\.js$/] },
  },
});
