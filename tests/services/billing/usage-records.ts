import type { UsageRecord } from "@turnpike/shared/events/relay";

let lastRequest = 0;
/** A usage record with an id of its own. */
export function usage(about: Partial<UsageRecord> = {}): UsageRecord {
  return {
    requestId: `r${++lastRequest}`,
    type: 2,
    createdAtSeconds: Math.floor(Date.now() / 1000),
    userId: 7,
    username: `user${about.userId ?? 7}`,
    tokenId: 0,
    tokenName: "laptop",
    modelName: "gpt-4o",
    channelId: 3,
    channelName: "main",
    group: "default",
    isStream: false,
    useTimeSeconds: 1,
    promptTokens: 10,
    completionTokens: 5,
    quota: 100,
    content: "",
    clientIp: "",
    other: "{}",
    ...about,
  };
}
