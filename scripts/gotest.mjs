// Runs `go test` with the arguments after the first: prints a line for each package, the output of what failed, and the
// names of what was skipped with the reason. Appends "passed failed skipped" to the file named by the first argument.
//
// One test or two that fail run once more, alone: on a busy machine a test can be late. What passes then is named as
// unsteady, which is a bug of the test. A data race, a panic or a third failure is never excused.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const mostAgain = 2;
const [counts, ...args] = process.argv.slice(2);
const isPackage = (arg) => arg.startsWith("./") || arg.startsWith("github.com/");

async function run(args) {
	const output = new Map();
	const result = { pass: 0, fail: 0, skip: 0, skipped: [], failed: new Map(), final: false };
	const key = (event) => `${event.Package} ${event.Test ?? ""}`;
	const go = spawn("go", ["test", "-json", ...args], { stdio: ["ignore", "pipe", "inherit"] });
	const ended = new Promise((resolve) => go.once("close", resolve));
	for await (const line of createInterface({ input: go.stdout })) {
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
			if (/^(WARNING: DATA RACE|panic: )/.test(event.Output)) result.final = true;
			continue;
		}
		if (!["pass", "fail", "skip"].includes(event.Action)) continue;
		const text = output.get(key(event)) ?? "";
		output.delete(key(event));
		if (event.Test) {
			result[event.Action]++;
			if (event.Action === "skip") result.skipped.push(`${event.Test}: ${text.replace(/^(===|---).*\n/gm, "").trim()}`);
			if (event.Action === "fail") {
				process.stdout.write(text);
				const whole = `${event.Package} ${event.Test.split("/")[0]}`;
				result.failed.set(whole, (result.failed.get(whole) ?? 0) + 1);
			}
			continue;
		}
		if (event.Action === "fail") {
			process.stdout.write(text);
			const named = [...result.failed.keys()].some((one) => one.startsWith(`${event.Package} `));
			if (!named) {
				result.fail++;
				result.final = true;
			}
		}
		if (event.Action !== "skip") console.log(`${event.Action === "pass" ? "ok  " : "FAIL"} ${event.Package} ${event.Elapsed ?? 0}s`);
	}
	const code = await ended;
	if (code !== 0 && result.fail === 0) result.fail = 1; // go itself could not start
	return result;
}

const total = await run(args);
if (total.failed.size > 0 && total.failed.size <= mostAgain && !total.final) {
	const flags = args.filter((arg, i) => !isPackage(arg) && arg !== "-run" && args[i - 1] !== "-run");
	for (const [whole, times] of total.failed) {
		const [pkg, test] = whole.split(" ");
		console.log(`once more, alone: ${test}`);
		const again = await run([...flags, "-count=1", "-run", `^${test}$`, pkg]);
		if (again.fail > 0) continue;
		total.fail -= times;
		total.pass += times;
		console.log(`UNSTEADY ${pkg} ${test}: failed once and passed alone`);
	}
}
for (const line of total.skipped) console.log(`skipped ${line}`);
appendFileSync(counts, `${total.pass} ${total.fail} ${total.skip}\n`);
process.exit(total.fail > 0 ? 1 : 0);
