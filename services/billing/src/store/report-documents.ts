/** One user's usage on one UTC day; `<day>:<user id>`. */
export type UserDayDoc = {
  _id: string;
  day: number;
  userId: number;
  username: string;
  count: number;
  quota: number;
  tokens: number;
};

/** One channel's calls on one UTC day; `<day>:<channel id>`. */
export type ChannelDayDoc = {
  _id: string;
  day: number;
  channelId: number;
  channelName: string;
  count: number;
  quota: number;
  tokens: number;
  /** Failed attempts, where logged. */
  errors: number;
  totalMs: number;
};

/** The site's latency in one hour: calls by latency bucket (keys are the buckets). */
export type HourHealthDoc = {
  _id: number;
  count: number;
  errors: number;
  total?: Record<string, number>;
  firstToken?: Record<string, number>;
};
