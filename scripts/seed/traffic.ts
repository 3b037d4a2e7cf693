import { LOG_TYPE } from "@turnpike/contract/codes";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { GROUP_RATIOS, SEED_CHANNELS, type SeedChannel, type SeedUser } from "./cast.ts";
import { createPicker } from "./random.ts";

const HOUR_SECONDS = 3_600;
const ERROR_SHARE = 0.03;
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Traffic weight of each hour of the day. */
const HOURS = [4, 3, 2, 2, 2, 3, 4, 6, 9, 12, 13, 12, 10, 12, 13, 13, 12, 11, 10, 9, 9, 8, 7, 5];
const WEEKEND = 0.6;
const ERRORS = [
  { status: 429, code: "rate_limit_exceeded", message: "upstream returned 429: rate limit reached" },
  { status: 500, code: "server_error", message: "upstream returned 500" },
  { status: 504, code: "upstream_timeout", message: "the upstream did not respond in time" },
] as const;

function base32(value: number, length: number): string {
  let text = "";
  for (let rest = value, place = 0; place < length; place++, rest = Math.floor(rest / 32))
    text = ALPHABET.charAt(rest % 32) + text;
  return text;
}

/** How many of `rows` fall into each hour of a number of days that end with the hour before `endSeconds`. */
export function planHours(rows: number, days: number, endSeconds: number): { hour: number; rows: number }[] {
  const last = endSeconds - (endSeconds % HOUR_SECONDS) - HOUR_SECONDS;
  const hours = Array.from({ length: days * 24 }, (_, index) => last - (days * 24 - 1 - index) * HOUR_SECONDS);
  const getWeight = (hour: number): number => {
    const day = new Date(hour * 1000).getUTCDay();
    return (HOURS[Math.floor(hour / HOUR_SECONDS) % 24] ?? 1) * (day === 0 || day === 6 ? WEEKEND : 1);
  };
  const whole = hours.reduce((sum, hour) => sum + getWeight(hour), 0);
  let weight = 0;
  let planned = 0;
  return hours.map((hour) => {
    weight += getWeight(hour);
    const upTo = Math.round((rows * weight) / whole);
    const count = upTo - planned;
    planned = upTo;
    return { hour, rows: count };
  });
}

/** Picks a channel that serves a model, in proportion to the weights; any where none does. */
function createChannelPicker(channels: readonly SeedChannel[], random: () => number): (model: string) => SeedChannel {
  const pickers = new Map<string, ReturnType<typeof createPicker<SeedChannel>>>();
  return (model) => {
    const known = pickers.get(model);
    if (known) return known(random());
    const serving = channels.filter(({ models }) => models?.has(model) ?? true);
    const pick = createPicker(serving.length > 0 ? serving : channels, ({ weight }) => weight);
    pickers.set(model, pick);
    return pick(random());
  };
}

/** Generates the records of one hour, ordered by time. */
export function createTraffic(
  users: readonly SeedUser[],
  random: () => number,
  channels: readonly SeedChannel[] = SEED_CHANNELS,
) {
  const pickChannel = createChannelPicker(channels, random);
  const pickUser = createPicker(users, ({ weight }) => weight);
  let serial = 0;

  const recordAt = (createdAtSeconds: number): UsageRecord => {
    const user = pickUser(random());
    const model = user.chooseModel(random());
    const token = user.tokens[Math.floor(random() ** 2 * user.tokens.length)] ?? { id: 0, name: "" };
    const channel = pickChannel(model.name);
    const error = random() < ERROR_SHARE ? ERRORS[Math.floor(random() * ERRORS.length)] : undefined;
    const isError = error !== undefined;
    const size = random();
    const promptTokens = isError ? 0 : 20 + Math.floor(size * size * size * 12_000);
    const completionTokens = isError || model.completionRatio === 1 ? 0 : 5 + Math.floor(random() ** 2 * 1_500);
    const groupRatio = GROUP_RATIOS[user.group] ?? 1;
    const cost = Math.round((promptTokens + completionTokens * model.completionRatio) * model.ratio * groupRatio);
    const tookMs = 200 + Math.floor(random() ** 3 * 30_000);
    const isStream = random() < 0.7;
    const others = `"admin_info":{"use_channel":["${channel.id}"]},"use_time_ms":${tookMs}`;
    return {
      requestId:
        base32(createdAtSeconds * 1000 + (serial % 1000), 10) +
        base32(serial++, 8) +
        base32(Math.floor(random() * 2 ** 40), 8),
      type: isError ? LOG_TYPE.error : LOG_TYPE.consume,
      createdAtSeconds,
      userId: user.id,
      username: user.username,
      tokenId: token.id,
      tokenName: token.name,
      modelName: model.name,
      channelId: channel.id,
      channelName: channel.name,
      group: user.group,
      isStream,
      useTimeSeconds: Math.round(tookMs / 1000),
      promptTokens,
      completionTokens,
      quota: isError ? 0 : Math.max(1, cost),
      content: error?.message ?? "",
      ...(error ? { errorCode: error.code, errorStatus: error.status } : {}),
      clientIp: "",
      other: isError
        ? `{"error_type":"upstream_error","error_code":"${error.code}","status_code":${error.status},"channel_id":${channel.id},${others}}`
        : `{"model_ratio":${model.ratio},"completion_ratio":${model.completionRatio},"group_ratio":${groupRatio},"model_price":-1,"price_rule":"model"${
            isStream ? `,"frt":${100 + Math.floor(tookMs * 0.2)}` : ""
          },${others}}`,
    };
  };
  return (hour: number, rows: number): UsageRecord[] =>
    Array.from({ length: rows }, (_, index) => recordAt(hour + Math.floor((index * HOUR_SECONDS) / rows)));
}
