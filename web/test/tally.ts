import type { Reporter, TestModule } from "vitest/node";

/** Names what failed and ends the output with `N passed, M failed`, which `make test` adds up. */
export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0;
    let failed = 0;
    let skipped = 0;
    for (const module of modules) {
      if (module.state() === "failed" && [...module.children.allTests()].length === 0) {
        failed++;
        process.stdout.write(`FAILED ${module.relativeModuleId}\n`);
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        const tries = 1 + (test.diagnostic()?.retryCount ?? 0);
        if (state === "passed" && tries > 1)
          process.stdout.write(`UNSTEADY ${test.fullName}: passed at try ${tries}\n`);
        if (state === "passed") passed++;
        else if (state === "failed") {
          failed++;
          process.stdout.write(`FAILED ${test.fullName}\n`);
        } else skipped++;
      }
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
  }
}
