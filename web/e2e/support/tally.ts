import type { Reporter, Suite } from "@playwright/test/reporter";

/** Names what failed and ends the output with `N passed, M failed`, which `make test` adds up. */
export default class Tally implements Reporter {
  #suite: Suite | undefined;
  #errors = 0;

  printsToStdio(): boolean {
    return false;
  }

  onBegin(_: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  /** Something broke outside of every test: a file that does not load, the setup before all of them. */
  onError(): void {
    this.#errors++;
  }

  onExit(): Promise<void> {
    let passed = 0;
    let failed = this.#errors;
    let skipped = 0;
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === "flaky")
        process.stdout.write(
          `UNSTEADY ${test.titlePath().filter(Boolean).join(" > ")}: passed at try ${test.results.length}\n`,
        );
      if (outcome === "expected" || outcome === "flaky") passed++;
      else if (outcome === "unexpected") {
        failed++;
        process.stdout.write(`FAILED ${test.titlePath().filter(Boolean).join(" > ")}\n`);
      } else skipped++;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
    return Promise.resolve();
  }
}
