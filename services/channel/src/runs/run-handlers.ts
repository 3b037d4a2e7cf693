import type { ChannelHealthServiceServer, ChannelRun } from "@turnpike/proto/channel/v1/channel_health_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { setTimeout as wait } from "node:timers/promises";
import type { ChannelStore } from "../channels/channel-store.ts";
import type { BalanceReader } from "../upstream/balance-reader.ts";
import type { RunDoc } from "./run-model.ts";
import type { RunStore } from "./run-store.ts";

const BALANCES_WAIT_MS = 25_000;
const LOOK_EVERY_MS = 250;

const seconds = (ms: number): number => Math.floor(ms / 1_000);

const toRun = ({ _id: kind, isRunning, startedAtMs, endedAtMs, ...run }: RunDoc, total: number): ChannelRun => ({
  kind,
  total,
  isRunning,
  startedAtSeconds: seconds(startedAtMs),
  endedAtSeconds: seconds(endedAtMs),
  done: run.done,
  failed: run.failed,
  disabled: run.disabled,
  enabled: run.enabled,
});

/** RPCs over runs on all channels, and over balances; for admins. */
export function runHandlers(deps: {
  runs: RunStore;
  wake: () => void;
  store: Pick<ChannelStore, "get" | "count">;
  balances: BalanceReader;
}): Omit<Handlers<ChannelHealthServiceServer>, "listKeys" | "reviveKeys"> {
  const { runs, wake, store, balances } = deps;
  const untilEnded = async (signal: AbortSignal): Promise<boolean> => {
    const until = Date.now() + BALANCES_WAIT_MS;
    while (Date.now() < until && !signal.aborted) {
      const run = (await runs.list()).find(({ _id: kind }) => kind === "balance");
      if (!run?.isRunning) return true;
      await wait(LOOK_EVERY_MS);
    }
    return false;
  };
  return {
    async testAllChannels(_, context) {
      requireAdmin(context);
      if (!(await runs.begin("test"))) throw new AppError("channel_test_running", "a test of all channels is running");
      wake();
      return {};
    },
    async updateBalance({ id }, context) {
      requireAdmin(context);
      return { balance: await balances.read(await store.get(id), context.requestId) };
    },
    async updateAllBalances(_, context) {
      requireAdmin(context);
      // A run in progress has the same effect.
      await runs.begin("balance");
      wake();
      return { isDone: await untilEnded(context.signal) };
    },
    async listRuns(_, context) {
      requireAdmin(context);
      const [all, enabled, found] = await Promise.all([store.count("all"), store.count("enabled"), runs.list()]);
      const shown = found.filter(({ _id: kind }) => kind === "test" || kind === "balance");
      return { runs: shown.map((run) => toRun(run, run._id === "test" ? all : enabled)) };
    },
    async cancelRun({ kind }, context) {
      requireAdmin(context);
      if (kind !== "test" && kind !== "balance")
        throw new AppError("invalid_input", `unknown run kind "${kind}"`, { params: { detail: "kind" } });
      return { wasRunning: await runs.cancel(kind) };
    },
  };
}
