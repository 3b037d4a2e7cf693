import type { ConsoleClient } from "../lib/console-client.ts";
import type { TestUser } from "./storm-users.ts";

type Row = { readonly user_id: number; readonly channel: number; readonly quota: number };
const DAY_SECONDS = 86_400;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Used = { readonly quota: number; readonly count: number };

/**
 * Returns every figure of the admin dashboard (the site's hours, top users and models) that differs from the log rows.
 */
export async function compareDashboard(
  root: ConsoleClient,
  users: readonly TestUser[],
  rows: readonly Row[],
): Promise<string[]> {
  const wrong: string[] = [];
  const same = (what: string, is: Used, should: readonly Row[]): void => {
    const [isText, shouldBe] = [is, { quota: sum(should.map(({ quota }) => quota)), count: should.length }].map(
      ({ quota, count }) => `${quota} in ${count} calls`,
    );
    if (isText !== shouldBe) wrong.push(`${what}: ${isText}, should be ${shouldBe}`);
  };
  const now = Math.floor(Date.now() / 1000);
  const range = { start_timestamp: now - DAY_SECONDS, end_timestamp: now + 3_600 };
  const hours = await root.get<Used[]>("/api/data/", range);
  const of = (field: "quota" | "count"): number => sum(hours.map((hour) => hour[field]));
  same("the site's dashboard", { quota: of("quota"), count: of("count") }, rows);
  const overview = await root.get<{
    users: (Used & { user_id: number })[];
    channels: (Used & { channel_id: number })[];
    hours: { count: number }[];
  }>("/api/data/overview", range);
  const none = { quota: 0, count: 0 };
  for (const { id, username } of users) {
    const user = overview.users.find(({ user_id }) => user_id === id) ?? none;
    same(
      `${username} in the overview`,
      user,
      rows.filter(({ user_id }) => user_id === id),
    );
  }
  for (const channel of overview.channels)
    same(
      `channel ${channel.channel_id} in the overview`,
      channel,
      rows.filter((row) => row.channel === channel.channel_id),
    );
  const served = sum(overview.hours.map(({ count }) => count));
  if (served !== rows.length) wrong.push(`hours of the overview hold ${served} calls, should be ${rows.length}`);
  return wrong;
}
