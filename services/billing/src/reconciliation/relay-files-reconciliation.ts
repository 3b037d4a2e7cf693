import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openKey } from "@turnpike/shared/accounts/account-keys";
import { readWalEntries } from "@turnpike/shared/accounts/write-ahead-log-format";
import { decodeEvent } from "@turnpike/shared/events/bus";
import { usageRecorded } from "@turnpike/shared/events/relay";
import { isProcessAlive } from "@turnpike/shared/lifecycle/process-identity";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Collections } from "../store/collections.ts";
import type { Findings } from "./findings.ts";

/** A call of which a relay's files know the cost. */
type FiledCall = {
  readonly requestId: string;
  readonly userId: number;
  readonly quota: number;
  readonly place: string;
};

type Deps = {
  /** `DATA_DIR/spool`, with a folder of each relay that ran here. */
  readonly spoolFolder: string;
  readonly collections: Pick<Collections, "logs" | "postedRecords">;
  /** Undefined while Redis is down. */
  readonly redis: Redis | undefined;
  readonly findings: Findings;
};

const DEAD_LETTERS = "dead-letters";
const IDS_A_QUERY = 1_000;
const RUNNING_PREFIX = "taken-";

/** The calls in the spool's segments of a folder; damaged lines are counted. */
function readSpool(folder: string, findings: Findings): FiledCall[] {
  const calls: FiledCall[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name.startsWith(RUNNING_PREFIX)) calls.push(...readFolder(path, findings));
    if (!entry.name.endsWith(".ndjson")) continue;
    for (const line of readFileSync(path, "utf8").split("\n").slice(0, -1)) {
      try {
        const { records } = decodeEvent(usageRecorded, line).data;
        for (const { requestId, userId, quota, released, recovered } of records)
          if (released !== true && recovered !== true) calls.push({ requestId, userId, quota, place: "the spool" });
      } catch {
        findings.count("damaged lines in spools");
      }
    }
  }
  return calls;
}

/** The calls in a relay's folder with a cost that is final. */
function readFolder(folder: string, findings: Findings): FiledCall[] {
  const settled = readWalEntries(folder).flatMap(({ requestId, userId, entry }) =>
    entry?.settled === true ? [{ requestId, userId, quota: entry.amount, place: "the write-ahead log" }] : [],
  );
  return [...settled, ...readSpool(folder, findings)];
}

/** What is posted of some calls: the cost in the row, or `undefined` for a call without a row. */
async function readPosted(
  { logs, postedRecords }: Deps["collections"],
  ids: readonly string[],
): Promise<Map<string, number | undefined>> {
  const posted = new Map<string, number | undefined>();
  for (let start = 0; start < ids.length; start += IDS_A_QUERY) {
    const some = { $in: ids.slice(start, start + IDS_A_QUERY) };
    for (const { _id } of await postedRecords.find({ _id: some }, { projection: { _id: 1 } }).toArray())
      posted.set(_id, undefined);
    const rows = logs.find({ requestId: some }, { projection: { requestId: 1, quota: 1, other: 1 } });
    // An estimate waits for the relay's own record.
    for await (const { requestId = "", quota, other } of rows)
      posted.set(requestId, other.includes('"recovered":true') ? undefined : quota);
  }
  return posted;
}

function readOwner(folder: string): string {
  try {
    return readFileSync(join(folder, "pid"), "utf8");
  } catch {
    return "";
  }
}

async function compareFolder(name: string, { spoolFolder, collections, redis, findings }: Deps): Promise<void> {
  const folder = join(spoolFolder, name);
  const isDead = isProcessAlive(readOwner(folder)) === false;
  const calls = readFolder(folder, findings);
  const posted = await readPosted(
    collections,
    calls.map(({ requestId }) => requestId),
  );
  findings.count("calls in spools and write-ahead logs", calls.length);
  for (const { requestId, userId, quota, place } of calls) {
    const cost = posted.get(requestId);
    if (cost !== undefined && cost !== quota)
      findings.problem(`call ${requestId} is posted with ${cost}, but ${place} of relay ${name} has ${quota}`);
    if (posted.has(requestId)) continue;
    const isOpen = redis !== undefined && (await redis.hexists(openKey(userId), requestId)) === 1;
    if (isDead && !isOpen)
      findings.problem(
        `call ${requestId} in ${place} of the dead relay ${name} is not posted, and Redis has no hold of it`,
      );
    else findings.count("calls in spools and write-ahead logs that are not posted yet");
  }
}

/** Reconciles what relays left on this machine's disk with what is posted: usage that waits for NATS, and costs of their last calls. */
export async function reconcileRelayFiles(deps: Deps): Promise<void> {
  const { spoolFolder, findings } = deps;
  let names: string[];
  try {
    names = readdirSync(spoolFolder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch {
    return findings.skip(`spools and write-ahead logs: ${spoolFolder} cannot be read`);
  }
  for (const name of names) {
    if (name === DEAD_LETTERS) continue;
    try {
      await compareFolder(name, deps);
    } catch (error) {
      // A running relay deletes its files at any time.
      findings.skip(`the files of relay ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  findings.skip("spools and write-ahead logs of relays on other machines and volumes");
}
