import type { TestProject } from "vitest/node";
import { urlsOf } from "./backing-urls.ts";
import { startOwnBackings } from "./own-backings.ts";
import "./test-backing.ts";

/** Global set-up of the test run: real backing services once for all files, stopped at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const backings = await startOwnBackings();
  project.provide("backing", urlsOf(backings));
  return () => backings.dispose();
}
