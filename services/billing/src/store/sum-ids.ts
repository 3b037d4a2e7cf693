import { getDayStart, getHour } from "./calendar.ts";

/** What decides which sums a call belongs to. */
export type SummedCall = {
  readonly createdAtSeconds: number;
  readonly userId: number;
  readonly channelId: number;
  readonly group: string;
  readonly modelName: string;
};

/** The id of what a user, a token or a channel used on a UTC day. */
export const getDayId = (day: number, of: number): string => `${day}:${of}`;

/** The ids of a call's sums: by hour and model of the site and of the user; by day of the channel, the user, and the margin. */
export const getSumIds = ({ createdAtSeconds, userId, channelId, group, modelName }: SummedCall) => {
  const [hour, day] = [getHour(createdAtSeconds), getDayStart(createdAtSeconds)];
  return {
    siteHour: `${hour}:${modelName}`,
    userHour: `${userId}:${hour}:${modelName}`,
    channelDay: getDayId(day, channelId),
    userDay: getDayId(day, userId),
    marginDay: `${day}:${JSON.stringify([channelId, group, modelName])}`,
  };
};
