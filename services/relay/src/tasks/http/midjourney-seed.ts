import type { Task } from "@turnpike/proto/billing/v1/task_service";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { createNoResponseError } from "../../upstream/upstream-errors.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { OnCancel } from "../../upstream/upstream-call.ts";
import { midjourney } from "../wire/midjourney-wire.ts";
import { findOriginAccount } from "../accounting/task-accounts.ts";

export type SeedDeps = {
  readonly table: () => RoutingTable;
  readonly client: UpstreamClient;
  readonly hash: (key: string) => string;
};

const SEED_TIMEOUT_MS = 30_000;
const SEED_BYTES_MAX = 1024 * 1024;

/** Requests the seed of a task's image from the account that created it and passes on the response. */
export async function sendImageSeed(deps: SeedDeps, exchange: Exchange, task: Task): Promise<void> {
  const { channel, key } = findOriginAccount(task, deps.table(), deps.hash);
  const request = {
    method: "GET" as const,
    url: `${channel.baseUrl}/mj/task/${encodeURIComponent(task.upstreamId)}/image-seed`,
    headers: { accept: "application/json", ...midjourney.headers(key) },
    body: undefined,
    firstByteMs: SEED_TIMEOUT_MS,
    idleMs: SEED_TIMEOUT_MS,
    ...through(channel.proxy),
  };
  const onCancel: OnCancel = (cancel) => exchange.onDisconnect(() => cancel(new Error("the client disconnected")));
  const { status, body } = await receiveResponse(deps.client, request, { bytesMax: SEED_BYTES_MAX, onCancel }).catch(
    (cause: unknown) => {
      throw createNoResponseError(cause);
    },
  );
  sendJson(exchange, status, body);
}
