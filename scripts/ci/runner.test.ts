import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createRunner } from "./runner.ts";
import type { Step, StepResult, Tool } from "./step.ts";
import { describeSummary, summarize } from "./summary.ts";

// What a run of single files sets would reach the steps of these tests.
vi.stubEnv("TEST_FILES", undefined);
vi.stubEnv("VITEST_MAX_WORKERS", undefined);

const folder = mkdtempSync(join(tmpdir(), "turnpike-ci-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printed: string[] = [];
const runner = createRunner({
  folder,
  missingPrograms: ["chromium"],
  print: (line) => printed.push(line),
  stopTools: () => Promise.resolve(),
});
let count = 0;
const shell = (script: string, more: Partial<Step> = {}): Step => ({
  name: `step-${count++}`,
  limitSeconds: 20,
  command: ["sh", "-c", script],
  ...more,
});

async function runAll(steps: readonly Step[]): Promise<{ results: StepResult[]; lines: string[]; failed: number }> {
  const first: StepResult[] = [];
  for (const step of steps) first.push(await runner.run(step));
  const results = await runner.repeatFailed(steps, first);
  const summary = summarize(results, { seconds: 1, missingPrograms: ["chromium"] });
  return { results, lines: describeSummary(summary), failed: summary.failed };
}

/** A script that fails every second time, and fails alike when it is not run alone the second time. */
const everySecond = (name: string): string =>
  `f=${join(folder, name)}; if [ -e $f ]; then rm $f; exit 0; fi; touch $f; echo broken; exit 1`;

/** A step that writes a report: every file named in TEST_FILES, else all of them; `failing` fail the first time only. */
function reporting(files: readonly string[], failing: readonly string[]): Step {
  const name = `report-${count++}`;
  const reportFile = join(folder, `${name}.json`);
  const script = join(folder, `${name}.mjs`);
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from "node:fs";
     const again = process.env.TEST_FILES;
     if (again && process.env.VITEST_MAX_WORKERS !== "1") process.exit(3);
     const files = again ? again.split(" ") : ${JSON.stringify(files)};
     const failing = again ? [] : ${JSON.stringify(failing)};
     const testResults = files.map((file) => ({ name: process.cwd() + "/" + file, status: failing.includes(file) ? "failed" : "passed",
       message: "", startTime: 0, endTime: 4000, assertionResults: [
         { fullName: "first", status: "passed", failureMessages: [] },
         { fullName: "second", status: failing.includes(file) ? "failed" : "passed", failureMessages: failing.includes(file) ? ["off by one"] : [] } ] }));
     writeFileSync(${JSON.stringify(reportFile)}, JSON.stringify({ testResults }));
     process.exit(failing.length > 0 ? 1 : 0);`,
  );
  return { name, limitSeconds: 20, command: [process.execPath, script], reportFile, isRepeatable: true };
}

describe(".ci/run", () => {
  it("counts a step as one test, and shows the end of the output of one that fails", async () => {
    const { results, lines, failed } = await runAll([shell("true"), shell("echo the price is off by one; exit 4")]);
    expect(results.map(({ state }) => state)).toEqual(["passed", "failed"]);
    expect(failed).toBe(1);
    expect(lines.at(-1)).toBe("1 passed, 1 failed");
    expect(lines.join("\n")).toMatch(/FAILED: step-\d+: step-\d+ > ended with 4: the price is off by one/);
  });

  it("names the scenario that failed, however much is printed after it", async () => {
    const script = "echo 'ok    the first: 3 served'; echo 'FAIL  the second: 2 calls are free'; seq 100; exit 2";
    const { lines } = await runAll([shell(script)]);
    expect(lines.join("\n")).toMatch(/FAILED: step-\d+: step-\d+ > ended with 2: FAIL  the second: 2 calls are free/);
  });

  it("ends a step that is late with everything that it started", async () => {
    const startedAtMs = Date.now();
    const step = shell("sleep 60 & sleep 60", { limitSeconds: 1 });
    const { failures } = await runner.run(step);
    expect(failures[0]?.title).toBe("gave no result within 1 s");
    expect(Date.now() - startedAtMs).toBeLessThan(15_000);
  });

  it("does not wait for servers that a step leaves running", async () => {
    const startedAtMs = Date.now();
    expect((await runner.run(shell("sleep 8 & echo started"))).state).toBe("passed");
    expect(Date.now() - startedAtMs).toBeLessThan(6_000);
  });

  it("repeats a failed step that may be repeated, and names it as unstable when it passes then", async () => {
    const { lines, failed, results } = await runAll([shell(everySecond("a"), { isRepeatable: true })]);
    expect(failed).toBe(0);
    expect(results[0]).toMatchObject({ state: "passed", passed: 1 });
    expect(lines.join("\n")).toMatch(/UNSTABLE: step-\d+ > ended with 1: broken/);
    const { failed: notRepeated } = await runAll([shell(everySecond("b"))]);
    expect(notRepeated).toBe(1);
  });

  it("removes what the first run left before it repeats a step", async () => {
    const file = join(folder, "left");
    const step = shell(`[ -e ${file} ] && exit 1; touch ${file}; exit 1`, { isRepeatable: true, reset: ["rm", file] });
    const { failed } = await runAll([step]);
    expect(failed).toBe(1);
    expect((await runAll([shell(`[ ! -e ${file} ] || exit 1`)])).failed).toBe(1);
  });

  it("repeats the failed files of a report alone, one at a time, and counts each test once", async () => {
    const { results, lines, failed } = await runAll([reporting(["a.test.ts", "b.test.ts"], ["b.test.ts"])]);
    expect(failed).toBe(0);
    expect(results[0]?.passed).toBe(4);
    expect(lines).toContain("UNSTABLE: b.test.ts > second: off by one");
    expect(lines.at(-1)).toBe("4 passed, 0 failed");
    expect(lines.join("\n")).toContain("    4 s  a.test.ts");
  });

  it("fails when more than five tests are unstable", async () => {
    const five = ["1", "2", "3", "4", "5"].map((name) => `${name}.test.ts`);
    expect((await runAll([reporting(five, five)])).failed).toBe(0);
    const { failed, lines } = await runAll([reporting([...five, "6.test.ts"], [...five, "6.test.ts"])]);
    expect(failed).toBe(6);
    expect(lines).toContain("FAILED: more than 5 tests are unstable");
    expect(lines.at(-1)).toBe("6 passed, 6 failed");
  });

  it("fails for a report that was not written, and for an error outside of the tests", async () => {
    const reportFile = join(folder, "none.json");
    expect((await runAll([shell("echo crashed; exit 1", { reportFile, isRepeatable: true })])).failed).toBe(1);
    writeFileSync(reportFile, JSON.stringify({ testResults: [] }));
    const script = `echo '{"testResults":[]}' > ${reportFile}; echo Unhandled error; exit 1`;
    expect((await runAll([shell(script, { reportFile, isRepeatable: true })])).failed).toBe(1);
  });

  it("counts a file that cannot be loaded as one failure", async () => {
    const reportFile = join(folder, "broken.json");
    const report = {
      testResults: [
        { name: join(process.cwd(), "c.test.ts"), status: "failed", message: "no such module", assertionResults: [] },
      ],
    };
    writeFileSync(join(folder, "report"), JSON.stringify(report));
    const { results } = await runAll([shell(`cp ${join(folder, "report")} ${reportFile}; exit 1`, { reportFile })]);
    expect(results[0]?.failures).toEqual([{ file: "c.test.ts", title: "the whole file", error: "no such module" }]);
  });

  it("does not test, and does not fail, what needs a program or a tool that is not there", async () => {
    const unavailable: Tool = {
      prepare: () => Promise.resolve({ state: "unavailable", reason: "no engine" }),
      stop: () => Promise.resolve(),
    };
    const { failed, lines } = await runAll([
      shell("false", { programs: ["chromium"] }),
      shell("false", { tool: unavailable }),
      shell("true", { programs: ["wrk"] }),
    ]);
    expect(failed).toBe(0);
    expect(lines.join("\n")).toMatch(
      /not tested: step-\d+: chromium could not be installed\nnot tested: step-\d+: no engine/,
    );
    expect(lines).toContain("could not be installed: chromium");
    expect(lines.at(-1)).toBe("1 passed, 0 failed");
  });

  it("names the parts of a step that its tool leaves out", async () => {
    const partial: Tool = {
      prepare: () => Promise.resolve({ state: "ready", leftOut: ["aider: ECONNREFUSED\nat line 1"] }),
      stop: () => Promise.resolve(),
    };
    const { lines } = await runAll([shell("true", { tool: partial })]);
    expect(lines.join("\n")).toMatch(/not tested: step-\d+: aider: ECONNREFUSED at line 1/);
    expect(lines.at(-1)).toBe("1 passed, 0 failed");
  });

  it("fails when the product cannot be prepared on a tool that works, and passes on what the tool gives", async () => {
    const broken: Tool = {
      prepare: () =>
        Promise.resolve({ state: "failed", reason: "the images could not be built", output: "COPY failed" }),
      stop: () => Promise.resolve(),
    };
    const { lines } = await runAll([shell("true", { tool: broken })]);
    expect(lines.join("\n")).toMatch(/FAILED: step-\d+: step-\d+ > the images could not be built: COPY failed/);
    const ready: Tool = {
      prepare: () => Promise.resolve({ state: "ready", env: { DOCKER_HOST: "unix://x" } }),
      stop: () => Promise.resolve(),
    };
    expect((await runner.run(shell('[ "$DOCKER_HOST" = unix://x ]', { tool: ready }))).state).toBe("passed");
  });
});
