import type { Channel, ChannelUpdateBody } from "@turnpike/contract/api/channels/channel";
import {
  ChannelHealth,
  type ChannelHealthDetail,
  ChannelKeyHealth,
} from "@turnpike/contract/api/channels/channel-health";
import type { ChannelKey as StoredKey } from "@turnpike/proto/channel/v1/channel_health_service";
import type {
  Channel as StoredChannel,
  ChannelHealth as StoredHealth,
  ChannelInput,
} from "@turnpike/proto/channel/v1/channel_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import type { Services } from "../http/services.ts";
import { z } from "zod/mini";

const UNKNOWN_HEALTH: StoredHealth = { state: "idle", calls: 0, errorRate: 0, latencyMs: 0, errors: [] };

/** Short enough for a list; an unknown state of a newer version is shown as idle. */
function toHealth(health: StoredHealth = UNKNOWN_HEALTH): ChannelHealth {
  const [last] = health.errors;
  return {
    state: z.catch(ChannelHealth.shape.state, "idle").parse(health.state),
    calls: health.calls,
    error_rate: health.errorRate,
    latency_ms: health.latencyMs,
    last_error: last?.message ?? "",
    last_error_at: last?.atSeconds ?? 0,
  };
}

const toKeyHealth = (key: StoredKey): ChannelKeyHealth => ({
  key_hint: key.hint,
  state: z.catch(ChannelKeyHealth.shape.state, "in_use").parse(key.state),
  status_reason: key.reason,
  status_time: key.disabledAtSeconds,
});

/** The same with the last errors and every key. */
export const toHealthDetail = (
  health: StoredHealth = UNKNOWN_HEALTH,
  keys: readonly StoredKey[] = [],
): ChannelHealthDetail => ({
  ...toHealth(health),
  keys: keys.map(toKeyHealth),
  errors: health.errors.map(({ message, status, atSeconds }) => ({ message, status, at: atSeconds })),
});

const toChannel = (channel: StoredChannel, usedQuota: number | undefined): Channel => ({
  id: channel.id,
  name: channel.name,
  type: channel.type,
  key_hint: channel.keyHint,
  key_count: channel.keyCount,
  openai_organization: channel.openaiOrganization,
  max_input_tokens: channel.maxInputTokens,
  base_url: channel.baseUrl,
  other: channel.other,
  model_mapping: channel.modelMapping,
  status_code_mapping: channel.statusCodeMapping,
  models: channel.models,
  group: channel.group,
  auto_ban: channel.autoBan,
  test_model: channel.testModel,
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag,
  model_prefix: channel.modelPrefix,
  setting: channel.setting,
  param_override: channel.paramOverride,
  cost: channel.cost,
  status: channel.status,
  response_time: channel.responseTime,
  balance: channel.balance,
  used_quota: usedQuota ?? 0,
  ...(usedQuota === undefined ? { used_quota_missing: true } : {}),
  expired_time: channel.expiredTime,
  other_info: channel.otherInfo,
  created_time: channel.createdTime,
  test_time: channel.testTime,
  test_error: channel.testError,
  balance_updated_time: channel.balanceUpdatedTime,
  health: toHealth(channel.health),
});

/**
 * Channels with their totals. With billing down they are 0 and marked as missing: editing a channel must not depend on
 * billing, and the value is never written back.
 */
export async function joinTotals(
  { accounts }: Pick<Services, "accounts">,
  channels: readonly StoredChannel[],
  context: { call: CallOptions; log: Logger },
): Promise<Channel[]> {
  if (channels.length === 0) return [];
  let usedByChannel: ReadonlyMap<number, number> | undefined;
  try {
    const channelIds = channels.map((channel) => channel.id);
    const { totals } = await accounts.getChannelTotals({ channelIds }, { ...context.call, timeoutMs: 2_000 });
    usedByChannel = new Map(totals.map(({ channelId, usedQuota }) => [channelId, usedQuota]));
  } catch (error) {
    context.log.warn({ err: error }, "channels returned without totals");
  }
  return channels.map((channel) => toChannel(channel, usedByChannel && (usedByChannel.get(channel.id) ?? 0)));
}

/**
 * Priority and weight as the channel service takes them; throws the channel service's own error for a value that is not
 * an integer.
 */
export function checkRouting(form: { readonly priority?: number | undefined; readonly weight?: number | undefined }) {
  const { priority, weight } = form;
  if (priority !== undefined && !Number.isSafeInteger(priority))
    throw new AppError("channel_priority_invalid", "not an integer", { params: { field: "priority" } });
  if (weight !== undefined && !Number.isSafeInteger(weight))
    throw new AppError("channel_weight_invalid", "not an integer", { params: { field: "weight" } });
  return { priority, weight };
}

/** The form as the channel service takes it; an absent field stays undefined, and so unchanged. */
export const toChannelInput = (form: Omit<ChannelUpdateBody, "id">): ChannelInput => ({
  name: form.name,
  type: form.type,
  key: form.key,
  openaiOrganization: form.openai_organization,
  maxInputTokens: form.max_input_tokens,
  baseUrl: form.base_url,
  other: form.other,
  modelMapping: form.model_mapping,
  statusCodeMapping: form.status_code_mapping,
  models: form.models,
  group: form.group,
  autoBan: form.auto_ban,
  testModel: form.test_model,
  ...checkRouting(form),
  tag: form.tag,
  modelPrefix: form.model_prefix,
  setting: form.setting,
  paramOverride: form.param_override,
  cost: form.cost,
  status: form.status,
});
