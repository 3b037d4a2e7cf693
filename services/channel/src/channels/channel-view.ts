import type { Channel } from "@turnpike/proto/channel/v1/channel_service";
import type { ChannelDoc } from "./channel-model.ts";

/** When and why the system disabled the channel, or some of its keys. */
function parseOtherInfo({ statusReason, statusAtSeconds, keys }: ChannelDoc): string {
  const disabledKeys = keys
    .filter((key) => key.disabledAtSeconds > 0)
    .map((key) => ({ key_hint: key.hint, status_reason: key.disabledReason, status_time: key.disabledAtSeconds }));
  const info = {
    ...(statusAtSeconds > 0 ? { status_reason: statusReason, status_time: statusAtSeconds } : {}),
    ...(disabledKeys.length > 0 ? { disabled_keys: disabledKeys } : {}),
  };
  return Object.keys(info).length === 0 ? "" : JSON.stringify(info);
}

/** A channel as returned by the service: without its keys. */
export const toChannel = (doc: ChannelDoc): Channel => ({
  id: doc._id,
  name: doc.name,
  type: doc.type,
  keyHint: doc.keys[0]?.hint ?? "",
  keyCount: doc.keys.length,
  openaiOrganization: doc.openaiOrganization,
  maxInputTokens: doc.maxInputTokens,
  baseUrl: doc.baseUrl,
  other: doc.other,
  modelMapping: doc.modelMapping,
  statusCodeMapping: doc.statusCodeMapping,
  models: doc.models.join(","),
  group: doc.groups.join(","),
  autoBan: doc.autoBan ? 1 : 0,
  testModel: doc.testModel,
  priority: doc.priority,
  weight: doc.weight,
  tag: doc.tag,
  modelPrefix: doc.modelPrefix,
  setting: doc.setting,
  paramOverride: doc.paramOverride,
  cost: doc.cost ?? "",
  status: doc.status,
  responseTime: doc.responseTimeMs,
  balance: doc.balance ?? 0,
  expiredTime: 0,
  otherInfo: parseOtherInfo(doc),
  createdTime: doc.createdAtSeconds,
  testTime: doc.testedAtSeconds,
  testError: doc.testError ?? "",
  balanceUpdatedTime: doc.balanceAtSeconds ?? 0,
  health: undefined,
});
