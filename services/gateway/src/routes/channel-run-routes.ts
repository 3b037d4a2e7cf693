import { IdParams } from "@turnpike/contract/api/common";
import { type ChannelRun, ChannelRunParams } from "@turnpike/contract/api/channel";
import type { ChannelRun as StoredRun } from "@turnpike/proto/channel/v1/channel_health_service";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Asking an upstream takes a while; asking all of them is answered after 25 seconds at the latest. */
const BALANCE_TIMEOUT_MS = 35_000;

const toRun = (run: StoredRun): ChannelRun => ({
  kind: run.kind,
  running: run.isRunning,
  started_at: run.startedAtSeconds,
  ended_at: run.endedAtSeconds,
  done: run.done,
  failed: run.failed,
  disabled: run.disabled,
  enabled: run.enabled,
  total: run.total,
});

/** Work over all channels, balances, and the keys of one. Some of these GETs change something: that is how clients of this family call them. */
export function channelRunRoutes({ services: { channelHealth }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/test",
      route({ access: "admin", changesState: true }, async (_, { call }) => {
        await channelHealth.testAllChannels({}, call);
        return ok();
      }),
    )
    .get(
      "/update_balance",
      route({ access: "admin", changesState: true }, async (_, { call }) => {
        const { isDone } = await channelHealth.updateAllBalances({}, { ...call, timeoutMs: BALANCE_TIMEOUT_MS });
        return ok({ done: isDone });
      }),
    )
    .get(
      "/update_balance/:id",
      route({ access: "admin", params: IdParams, changesState: true }, async ({ params }, { call }) => {
        const { balance } = await channelHealth.updateBalance(params, { ...call, timeoutMs: BALANCE_TIMEOUT_MS });
        return { body: { success: true, message: "", balance } };
      }),
    )
    .post(
      "/:id/keys/revive",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) =>
        ok((await channelHealth.reviveKeys(params, call)).count),
      ),
    )
    .get(
      "/runs",
      route({ access: "admin" }, async (_, { call }) => ok((await channelHealth.listRuns({}, call)).runs.map(toRun))),
    )
    .delete(
      "/runs/:kind",
      route({ access: "admin", params: ChannelRunParams }, async ({ params }, { call }) =>
        ok((await channelHealth.cancelRun(params, call)).wasRunning),
      ),
    );
}
