import { afterEach, beforeEach } from "vitest";
import { runningScripts } from "./fake-upstream/fake-upstream.ts";
import { runningLogs } from "./world.ts";

const LINES_MAX = 30;

/** Where the log of each world ended when the test began. */
const starts = new Map<object, number>();

beforeEach(() => {
  starts.clear();
  for (const log of runningLogs) starts.set(log, log.lines.length);
});

// A failure on a remote machine cannot be inspected later: print the warnings and errors that the services logged
// during the test.
afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  // Queued scenarios that were not used would be served to the next test, or to this test's retry.
  for (const book of runningScripts) book.drop();
  for (const log of runningLogs) {
    const complaints = log.complaintsFrom(starts.get(log) ?? 0).slice(-LINES_MAX);
    if (complaints.length > 0) console.warn(`meanwhile, "${task.name}" having failed:\n${complaints.join("\n")}`);
  }
});
