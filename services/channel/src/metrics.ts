import { type BackgroundLoop, createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import { registerGauge } from "@turnpike/shared/telemetry/metric-series";
import type { ChannelModel } from "./channels/channel-model.ts";

const EVERY_MS = 10_000;
const QUERY_MS = 10_000;
/** The maximum number of channels with their own series; the counts by status cover all. */
const CHANNELS_MAX = 1_000;
const STATUSES: Readonly<Record<number, string>> = { 1: "enabled", 2: "disabled", 3: "auto_disabled" };

type Row = {
  readonly _id: number;
  readonly name: string;
  readonly type: number;
  readonly status: number;
  readonly autoBan: boolean;
  readonly keyCount: number;
  readonly enabledKeyCount: number;
  readonly balance?: number;
};

/** Gauges of channels: how many there are by status, and for each whether it is up, its keys by state and its balance. */
export function watchChannels(channels: ChannelModel): BackgroundLoop {
  let rows: readonly Row[] = [];
  let counts: readonly (readonly [string, number])[] = [];
  const gauge = (name: string, help: string, read: (row: Row) => number | undefined): void =>
    registerGauge({ name, help, labelNames: ["channel", "name"] }, () =>
      rows.flatMap((row) => {
        const value = read(row);
        return value === undefined ? [] : [[row._id, row.name.slice(0, 60), value] as const];
      }),
    );
  registerGauge({ name: "turnpike_channel_channels", help: "Channels by status", labelNames: ["status"] }, () =>
    counts.map(([status, count]) => [status, count] as const),
  );
  // A channel that an administrator disabled needs no attention.
  gauge("turnpike_channel_up", "1 for an enabled channel, 0 for one that the system switched off", ({ status }) =>
    status === 2 ? undefined : status === 1 ? 1 : 0,
  );
  const keys = {
    name: "turnpike_channel_keys",
    help: "Keys of a channel by state: enabled, or disabled by the system",
    labelNames: ["channel", "name", "state"],
  };
  registerGauge(keys, () =>
    rows
      .filter(({ status }) => status !== 2)
      .flatMap(({ _id, name, keyCount, enabledKeyCount }) => [
        [_id, name.slice(0, 60), "enabled", enabledKeyCount] as const,
        [_id, name.slice(0, 60), "disabled", keyCount - enabledKeyCount] as const,
      ]),
  );
  gauge("turnpike_channel_balance", "Last known balance, in the provider's currency", ({ balance }) => balance);
  const measure = async (): Promise<void> => {
    const grouped = await channels
      .aggregate<{ _id: number; count: number }>([{ $group: { _id: "$status", count: { $sum: 1 } } }])
      .option({ maxTimeMS: QUERY_MS });
    const countByStatus = new Map(grouped.map(({ _id, count }) => [_id, count]));
    counts = Object.entries(STATUSES).map(([status, word]) => [word, countByStatus.get(Number(status)) ?? 0]);
    const enabledKeys = { $filter: { input: "$keys", cond: { $eq: ["$$this.disabledReason", ""] } } };
    rows = await channels
      .aggregate<Row>([
        { $sort: { priority: -1, _id: -1 } },
        { $limit: CHANNELS_MAX },
        {
          $project: {
            name: 1,
            type: 1,
            status: 1,
            autoBan: 1,
            balance: 1,
            keyCount: { $size: "$keys" },
            enabledKeyCount: { $size: enabledKeys },
          },
        },
      ])
      .option({ maxTimeMS: QUERY_MS });
  };
  // A value that cannot be read stays as it was; the metrics of MongoDB and NATS show why.
  return createBackgroundLoop({ task: "channel metrics", everyMs: EVERY_MS, run: measure });
}
