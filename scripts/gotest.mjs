// Reads `go test -json` from standard input: prints a line for each package, the output of what failed, and the
// names of what was skipped with the reason. Appends "passed failed skipped" to the file named by its argument.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const output = new Map();
const count = { pass: 0, fail: 0, skip: 0 };
const skipped = [];
const key = (event) => `${event.Package} ${event.Test ?? ""}`;

for await (const line of createInterface({ input: process.stdin })) {
	let event;
	try {
		event = JSON.parse(line);
	} catch {
		console.log(line);
		continue;
	}
	if (event.Action === "build-output") process.stdout.write(event.Output);
	if (event.Action === "output") {
		output.set(key(event), (output.get(key(event)) ?? "") + event.Output);
		continue;
	}
	if (!(event.Action in count)) continue;
	const text = output.get(key(event)) ?? "";
	output.delete(key(event));
	if (event.Test) {
		count[event.Action]++;
		if (event.Action === "skip") skipped.push(`${event.Test}: ${text.replace(/^(===|---).*\n/gm, "").trim()}`);
		if (event.Action === "fail") process.stdout.write(text);
		continue;
	}
	if (event.Action === "fail") {
		process.stdout.write(text);
		if (event.FailedBuild) count.fail++;
	}
	if (event.Action !== "skip") console.log(`${event.Action === "pass" ? "ok  " : "FAIL"} ${event.Package} ${event.Elapsed ?? 0}s`);
}
for (const line of skipped) console.log(`skipped ${line}`);
appendFileSync(process.argv[2], `${count.pass} ${count.fail} ${count.skip}\n`);
process.exit(count.fail > 0 ? 1 : 0);
