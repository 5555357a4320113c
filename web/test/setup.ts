// Tests that need no page say so (`@vitest-environment node`) and start without one.
if ("document" in globalThis) await import("./dom.ts");

export {};
