import type { TestProject } from "vitest/node";
import { chooseBacking } from "./backing-choice.ts";
import { type BackingUrls, toBackingUrls } from "./backing-urls.ts";
import { startLocalBacking } from "./local-backing.ts";
import "./test-backing.ts";

type TestBacking = Omit<BackingUrls, "namespace"> & { dispose(): Promise<void> };

const loadContainers = () => import("./container-backing.ts");

async function startBacking(): Promise<TestBacking> {
  // Not loaded for TEST_BACKING=local: the library takes half a second to load.
  const choice = await chooseBacking(process.env, async () => (await loadContainers()).findEngine);
  console.log(`backing services of the tests: ${choice.kind} (${choice.reason})`);
  if (choice.kind === "local") return startLocalBacking();
  try {
    return await (await loadContainers()).startContainerBacking();
  } catch (error) {
    if (!choice.isDetected) throw error;
    console.warn(`backing services of the tests: local, the containers did not start:`, error);
    return startLocalBacking();
  }
}

/** Global setup of the test run: starts real backing services once for all files and stops them at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const backing = await startBacking();
  project.provide("backing", toBackingUrls(backing));
  return () => backing.dispose();
}
