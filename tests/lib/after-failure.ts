import { afterEach, beforeEach } from "vitest";
import { runningBooks } from "./fake-upstream/fake-upstream.ts";
import { runningLogs } from "./world.ts";

const LINES_MAX = 30;

/** Where the log of each world stood when the test began. */
const starts = new Map<object, number>();

beforeEach(() => {
  starts.clear();
  for (const log of runningLogs) starts.set(log, log.lines.length);
});

// What failed on a machine elsewhere cannot be looked at again: say what the services complained of meanwhile.
afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  // Answers that it queued and never got would come to the next test, or to its own second try.
  for (const book of runningBooks) book.drop();
  for (const log of runningLogs) {
    const complaints = log.complaintsFrom(starts.get(log) ?? 0).slice(-LINES_MAX);
    if (complaints.length > 0) console.warn(`meanwhile, "${task.name}" having failed:\n${complaints.join("\n")}`);
  }
});
