import { z } from "zod";

/** Where the tests get MongoDB, Redis and NATS from. */
export type BackingChoice = {
  readonly kind: "containers" | "local";
  /** False: TEST_BACKING names the kind, so that nothing else may replace it. */
  readonly isDetected: boolean;
  /** The reason, for the line that a test run prints. */
  readonly reason: string;
};

/** Returns which container engine responds; rejects or never settles if none does. */
export type FindEngine = () => Promise<string>;
/** Loads the search; not part of the time limit, which applies to the engine only. */
export type LoadFindEngine = () => Promise<FindEngine>;

const ENGINE_RESPONSES_WITHIN_MS = 1_000;
const Setting = z.enum(["containers", "local"]).optional();

/** The search result, or undefined after the time limit. */
async function findInTime(findEngine: FindEngine, withinMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), withinMs);
  });
  const found = findEngine().catch(() => undefined);
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}

/**
 * Chooses containers if a Docker engine responds, else local servers. TEST_BACKING=containers or TEST_BACKING=local
 * skips the search.
 */
export async function chooseBacking(
  env: NodeJS.ProcessEnv,
  loadFindEngine: LoadFindEngine,
  withinMs = ENGINE_RESPONSES_WITHIN_MS,
): Promise<BackingChoice> {
  const setting = Setting.safeParse(env["TEST_BACKING"] || undefined);
  if (!setting.success)
    throw new Error(`TEST_BACKING is "${env["TEST_BACKING"]}": set it to "containers" or "local", or leave it out.`);
  if (setting.data !== undefined)
    return { kind: setting.data, isDetected: false, reason: `TEST_BACKING=${setting.data}` };
  const engine = await findInTime(await loadFindEngine(), withinMs);
  return engine === undefined
    ? { kind: "local", isDetected: true, reason: "no Docker engine responds" }
    : { kind: "containers", isDetected: true, reason: engine };
}
