import { type Connection, type Model, Schema } from "mongoose";

/** Work over all channels: a test of each, what each account holds, a look whether what was switched off is fit again. */
export type RunKind = "test" | "balance" | "probe";
/** What the work did with channels, by number. */
export type RunCounts = { done: number; failed: number; disabled: number; enabled: number };

/** The state of one kind of work; it stands here so that another replica can go on where one died. */
export type RunDoc = RunCounts & {
  _id: RunKind;
  isRunning: boolean;
  /** Somebody asked for it; false for what the clock began. */
  isManual: boolean;
  /** All channels up to this number are done. */
  cursor: number;
  startedAtMs: number;
  endedAtMs: number;
  /** The replica at work, and until when it is taken to be alive. */
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

/** The collection with one document for each kind of work. */
export const runModel = (mongo: Connection): RunModel => mongo.model<RunDoc>("ChannelRun", runSchema);
