import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { z } from "zod";
import type { Failure } from "./step.ts";

const ERROR_CHARACTERS_MAX = 1_500;

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      startTime: z.number().default(0),
      endTime: z.number().default(0),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** The content of Vitest's JSON report, with paths from the current folder. */
export type TestReport = {
  readonly passed: number;
  readonly failures: readonly (Failure & { readonly file: string })[];
  readonly files: Readonly<Record<string, number>>;
};

type ReportedFile = z.output<typeof Report>["testResults"][number];

function listFailures({ name, status, message, assertionResults }: ReportedFile): TestReport["failures"] {
  const file = relative(process.cwd(), name);
  const tests = assertionResults
    .filter((test) => test.status === "failed")
    .map(({ fullName, failureMessages }) => ({
      file,
      title: fullName,
      error: (failureMessages ?? []).join("; ").slice(0, ERROR_CHARACTERS_MAX),
    }));
  // A file that cannot be loaded, or whose set-up fails, has no failed test.
  const isBroken = status === "failed" && tests.length === 0;
  return isBroken ? [{ file, title: "the whole file", error: message.slice(0, ERROR_CHARACTERS_MAX) }] : tests;
}

/** Reads a report; undefined if the run wrote none. */
export function readTestReport(path: string): TestReport | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const { testResults } = Report.parse(JSON.parse(text));
  return {
    passed: testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status === "passed").length,
    failures: testResults.flatMap(listFailures),
    files: Object.fromEntries(
      testResults.map(({ name, startTime, endTime }) => [
        relative(process.cwd(), name),
        Math.max(0, Math.round((endTime - startTime) / 1_000)),
      ]),
    ),
  };
}
