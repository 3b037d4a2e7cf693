import { z } from "zod/mini";
import { IdParams, Count, Done, successSchema } from "@turnpike/contract/api/common";
import {
  ChannelBalanceResult,
  ChannelBalancesResult,
  ChannelRun,
  ChannelRunParams,
} from "@turnpike/contract/api/channels/channel-runs";
import type { ChannelRun as StoredRun } from "@turnpike/proto/channel/v1/channel_health_service";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import type { RoutesDeps } from "../routes-deps.ts";

/** A request to an upstream takes time; a request to all of them returns after 25 seconds at the latest. */
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

const SPECS = {
  startTest: { access: "admin", summary: "Start a test of all channels", returns: Done, changesState: true },
  readBalances: {
    access: "admin",
    summary: "Start to read the balances of all channels",
    returns: successSchema(ChannelBalancesResult),
    changesState: true,
  },
  readBalance: {
    access: "admin",
    summary: "Read the balance of a channel's upstream account",
    returns: ChannelBalanceResult,
    params: IdParams,
    changesState: true,
  },
  reviveKeys: {
    access: "admin",
    summary: "Enable the disabled keys of a channel",
    returns: Count,
    params: IdParams,
  },
  listRuns: {
    access: "admin",
    summary: "List the runs over all channels",
    returns: successSchema(z.array(ChannelRun)),
  },
  cancelRun: {
    access: "admin",
    summary: "Cancel a run over all channels",
    returns: successSchema(z.boolean()),
    params: ChannelRunParams,
  },
} as const;

/**
 * Runs over all channels, balances, and the keys of one channel. Some of these GETs change state, because clients of
 * this family call them that way.
 */
export function channelRunRoutes({ services: { channelHealth }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/test",
      route(SPECS.startTest, async (_, { call }) => {
        await channelHealth.testAllChannels({}, call);
        return ok();
      }),
    )
    .get(
      "/update_balance",
      route(SPECS.readBalances, async (_, { call }) => {
        const { isDone } = await channelHealth.updateAllBalances({}, { ...call, timeoutMs: BALANCE_TIMEOUT_MS });
        return ok({ done: isDone });
      }),
    )
    .get(
      "/update_balance/:id",
      route(SPECS.readBalance, async ({ params }, { call }) => {
        const { balance } = await channelHealth.updateBalance(params, { ...call, timeoutMs: BALANCE_TIMEOUT_MS });
        return { body: { success: true, message: "", balance } };
      }),
    )
    .post(
      "/:id/keys/revive",
      route(SPECS.reviveKeys, async ({ params }, { call }) => ok((await channelHealth.reviveKeys(params, call)).count)),
    )
    .get(
      "/runs",
      route(SPECS.listRuns, async (_, { call }) => ok((await channelHealth.listRuns({}, call)).runs.map(toRun))),
    )
    .delete(
      "/runs/:kind",
      route(SPECS.cancelRun, async ({ params }, { call }) =>
        ok((await channelHealth.cancelRun(params, call)).wasRunning),
      ),
    );
}
