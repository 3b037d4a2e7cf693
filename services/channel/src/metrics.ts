import { createPoll, type Poll } from "@turnpike/shared/telemetry/poll";
import { registerGauge } from "@turnpike/shared/telemetry/metric-series";
import type { ChannelModel } from "./channels/channel-model.ts";

const EVERY_MS = 10_000;
const QUERY_MS = 10_000;
/** Channels that get a series of their own; the counts by status are of all. */
const CHANNELS_MAX = 1_000;
const STATUSES: Readonly<Record<number, string>> = { 1: "enabled", 2: "disabled", 3: "auto_disabled" };

type Row = {
  readonly _id: number;
  readonly name: string;
  readonly type: number;
  readonly status: number;
  readonly autoBan: boolean;
  readonly keys: number;
  readonly fit: number;
  readonly balance?: number;
};

/** Shows how channels stand: by status, and for each one whether it is up and how many of its keys are fit. Never a key. */
export function watchChannels(channels: ChannelModel): Poll {
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
  // Those that an admin switched off are nobody's worry.
  gauge("turnpike_channel_up", "1 for an enabled channel, 0 for one that the system switched off", ({ status }) =>
    status === 2 ? undefined : status === 1 ? 1 : 0,
  );
  gauge("turnpike_channel_keys", "Keys of a channel", ({ status, keys }) => (status === 2 ? undefined : keys));
  gauge("turnpike_channel_keys_fit", "Keys of a channel that are not switched off", ({ status, fit }) =>
    status === 2 ? undefined : fit,
  );
  gauge("turnpike_channel_balance", "Last known balance, in the provider's currency", ({ balance }) => balance);
  return createPoll(EVERY_MS, async () => {
    const grouped = await channels
      .aggregate<{ _id: number; count: number }>([{ $group: { _id: "$status", count: { $sum: 1 } } }])
      .option({ maxTimeMS: QUERY_MS });
    const getCount = new Map(grouped.map(({ _id, count }) => [_id, count]));
    counts = Object.entries(STATUSES).map(([status, word]) => [word, getCount.get(Number(status)) ?? 0]);
    const fitKeys = { $filter: { input: "$keys", cond: { $eq: ["$$this.disabledReason", ""] } } };
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
            keys: { $size: "$keys" },
            fit: { $size: fitKeys },
          },
        },
      ])
      .option({ maxTimeMS: QUERY_MS });
  });
}
