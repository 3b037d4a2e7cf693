import type { Channel } from "@turnpike/contract/api/channels/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/codes";

/** A row that represents all channels of a tag. */
export type TagRow = {
  readonly kind: "tag";
  readonly tag: string;
  readonly channels: readonly Channel[];
  readonly isOpen: boolean;
};
/** A row of one channel, inside its tag's group or alone. */
export type ChannelRow = { readonly kind: "channel"; readonly channel: Channel; readonly isInTag: boolean };
export type Row = TagRow | ChannelRow;

/** Channels as rows. */
export const plainRows = (channels: readonly Channel[]): Row[] =>
  channels.map((channel) => ({ kind: "channel", channel, isInTag: false }));

/** Channels as rows by tag, those of open tags below them. */
export function tagRows(channels: readonly Channel[], open: ReadonlySet<string>): Row[] {
  return [...Map.groupBy(channels, ({ tag }) => tag)].flatMap(([tag, own]): Row[] => {
    const isOpen = open.has(tag);
    const children = isOpen ? own.map((channel): Row => ({ kind: "channel", channel, isInTag: true })) : [];
    return [{ kind: "tag", tag, channels: own, isOpen }, ...children];
  });
}

export const rowId = (row: Row): string => (row.kind === "tag" ? `tag:${row.tag}` : String(row.channel.id));
export const getRowName = (row: Row): string => (row.kind === "tag" ? row.tag : row.channel.name);

/** The channels that some rows represent, without duplicates. */
export const listChannels = (rows: readonly Row[]): Channel[] => [
  ...new Map(
    rows.flatMap((row) => (row.kind === "tag" ? row.channels : [row.channel])).map((channel) => [channel.id, channel]),
  ).values(),
];

/** The common value; undefined when the values differ. */
export function getCommonValue<Value>(
  channels: readonly Channel[],
  pick: (channel: Channel) => Value,
): Value | undefined {
  const values = new Set(channels.map(pick));
  const [first] = values;
  return values.size === 1 ? first : undefined;
}

/** Whether a row is shown as disabled. */
export const isOff = (row: Row): boolean =>
  listChannels([row]).every(({ status }) => status !== CHANNEL_STATUS.enabled);

const sum = (channels: readonly Channel[], pick: (channel: Channel) => number): number =>
  channels.reduce((total, channel) => total + pick(channel), 0);

/** The usage of a row's channels. */
export const sumUsedQuota = (row: Row): number => sum(listChannels([row]), ({ used_quota: used }) => used);

/** The distinct parts of the comma-separated lists of a row's channels, in order. */
export const listNames = (row: Row, pick: (channel: Channel) => readonly string[]): string[] => [
  ...new Set(listChannels([row]).flatMap(pick)),
];

/** The mean response time of the tested channels, 0 for none. */
export function getResponseTime(channels: readonly Channel[]): number {
  const tested = channels.filter(({ response_time: ms }) => ms > 0);
  return tested.length === 0 ? 0 : Math.round(sum(tested, ({ response_time: ms }) => ms) / tested.length);
}
