/** What one person used on one day of UTC; `<day>:<user id>`. */
export type UserDayDoc = {
  _id: string;
  day: number;
  userId: number;
  username: string;
  count: number;
  quota: number;
  tokens: number;
};

/** What one channel served on one day of UTC; `<day>:<channel id>`. */
export type ChannelDayDoc = {
  _id: string;
  day: number;
  channelId: number;
  channelName: string;
  count: number;
  quota: number;
  tokens: number;
  /** Failed attempts, as far as they are logged. */
  errors: number;
  totalMs: number;
};

/** How the site answered in one hour: calls by the step of the latency scale (keys are the steps). */
export type HourHealthDoc = {
  _id: number;
  count: number;
  errors: number;
  total?: Record<string, number>;
  firstToken?: Record<string, number>;
};
