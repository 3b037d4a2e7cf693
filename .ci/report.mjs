/**
 * report.mjs REPORT FAILURES [FIRST]: reads vitest's JSON report and prints how many tests passed, how many failed, and the files with
 * failures (at most FILES_MAX, none if there are more: then it is no accident). FIRST is the report of a run before, of which REPORT
 * repeats the failed files. Appends to FAILURES why tests failed; names tests on stderr that passed in their second attempt.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const FILES_MAX = 5;
const [reportPath, failuresPath, firstPath] = process.argv.slice(2);

const read = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults;
  } catch {
    return [];
  }
};
const isFailed = (file) => file.status === "failed" || file.assertionResults.some(({ status }) => status === "failed");
const explain = ({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join("; ").slice(0, 1_500)}`;

const again = read(reportPath);
const kept = firstPath ? read(firstPath).filter((file) => !isFailed(file)) : [];
const tests = [...kept, ...again].flatMap((file) => file.assertionResults);
for (const test of tests.filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0))
  process.stderr.write(`SECOND TRY: ${explain(test)}\n`);
const failed = tests.filter(({ status }) => status === "failed");
for (const test of failed) appendFileSync(failuresPath, `\n--- ${explain(test)}\n`);
const broken = again.filter(isFailed);
for (const file of broken.filter(({ message }) => message))
  appendFileSync(failuresPath, `\n--- ${relative(process.cwd(), file.name)}: ${file.message.slice(0, 1_500)}\n`);
const files = broken.length > FILES_MAX ? [] : broken.map(({ name }) => relative(process.cwd(), name));
const passed = tests.filter(({ status }) => status === "passed").length;
process.stdout.write(`${passed} ${failed.length} ${files.join(" ")}\n`);
