import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { newRequestId } from "@turnpike/shared/ids/request-id";
import type { Logger } from "@turnpike/shared/log/log";
import type { Principal } from "../admission/caller-directory.ts";
import type { RoutedChannel } from "../routing/routing-table.ts";

/** A test that succeeded. */
export type PassedTest = {
  readonly channel: RoutedChannel;
  readonly model: string;
  readonly usage: TokenUsage | undefined;
  readonly startedAtMs: number;
};

type Deps = {
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly add: (record: UsageRecord) => void;
  readonly now: () => number;
  readonly log: Logger;
};

/** The first administrator, in whose name channels are tested. */
const TESTER_ID = 1;
/** Token name and content of such rows, by which the consoles of this family know them. */
const LABEL = "模型测试";

function toRecord({ channel, model, usage, startedAtMs }: PassedTest, tester: Principal, nowMs: number): UsageRecord {
  return {
    requestId: newRequestId(),
    type: 2,
    createdAtSeconds: Math.floor(nowMs / 1000),
    userId: TESTER_ID,
    username: tester.username,
    tokenId: 0,
    tokenName: LABEL,
    modelName: model,
    channelId: channel.id,
    channelName: channel.name,
    group: tester.group,
    isStream: false,
    useTimeSeconds: Math.round((nowMs - startedAtMs) / 1000),
    promptTokens: usage?.promptTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
    quota: 0,
    content: LABEL,
    clientIp: "",
    other: JSON.stringify({ use_time_ms: nowMs - startedAtMs, admin_info: { use_channel: [String(channel.id)] } }),
  };
}

/** Writes the log row of a channel's test, which costs nobody anything. A test succeeds also where its row cannot be written. */
export function createTestRecords({ getPrincipal, add, now, log }: Deps) {
  return async (test: PassedTest): Promise<void> => {
    try {
      add(toRecord(test, await getPrincipal(TESTER_ID), now()));
    } catch (error) {
      log.warn({ err: error, channelId: test.channel.id }, "the log row of a channel's test could not be written");
    }
  };
}
