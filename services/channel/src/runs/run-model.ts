import { type Connection, type Model, Schema } from "mongoose";

/** Runs over all channels: a test of each, each account's balance, probes of disabled channels, and price lists of resellers. */
export type RunKind = "test" | "balance" | "probe" | "prices";
/** Result counts of a run. */
export type RunCounts = { done: number; failed: number; disabled: number; enabled: number };

/** The state of one kind of run; stored so that another replica can continue after a crash. */
export type RunDoc = RunCounts & {
  _id: RunKind;
  isRunning: boolean;
  /** True for a requested run, false for a scheduled one. */
  isManual: boolean;
  /** All channels up to this number are done. */
  cursor: number;
  startedAtMs: number;
  endedAtMs: number;
  /** The replica that holds the lease, and when the lease expires. */
  holder: string;
  leaseUntilMs: number;
};
export type RunModel = Model<RunDoc>;

const count = { type: Number, default: 0 } as const;
const flag = { type: Boolean, default: false } as const;

const runSchema = new Schema<RunDoc>(
  {
    _id: { type: String, required: true },
    isRunning: flag,
    isManual: flag,
    cursor: count,
    startedAtMs: count,
    endedAtMs: count,
    holder: { type: String, default: "" },
    leaseUntilMs: count,
    done: count,
    failed: count,
    disabled: count,
    enabled: count,
  },
  { collection: "channel_runs", strict: "throw", autoIndex: false, versionKey: false },
);

/** The collection with one document per kind of run. */
export const runModel = (mongo: Connection): RunModel => mongo.model<RunDoc>("ChannelRun", runSchema);
