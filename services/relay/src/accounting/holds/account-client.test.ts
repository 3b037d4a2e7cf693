import { expect, it, vi } from "vitest";
import { createAccountClient } from "./account-client.ts";
import type { Limit } from "./limit-arguments.ts";

type Redis = Parameters<typeof createAccountClient>[0];

it("releases a hold with the counted limits, but not the token estimate, which must not be released twice", async () => {
  vi.useFakeTimers();
  const sent: string[][] = [];
  const sendCommand = ({ args: [, ...args] }: { args: unknown[] }) => Promise.resolve(sent.push(args.map(String)));
  const client = createAccountClient({ options: {}, sendCommand } as unknown as Redis, "r1", () => 9);
  const limits: Limit[] = [
    { name: "n5", max: 100, periodMs: 60_000, counts: "tokens", guess: { tokens: 50, second: 1 } },
    { name: "t5", max: 3, periodMs: 60_000, counts: "starts" },
    { name: "p5", max: 3, periodMs: 30_000, counts: "successes" },
  ];
  client.giveBack({ requestId: "call", userId: 7, tokenId: 5, limits });
  await vi.advanceTimersByTimeAsync(1_000);
  const keys = [4, "acct:{7}", "open:{7}", "tok:{7}:5", "rl:{7}:p5"];
  expect(sent).toEqual([[...keys, 5, "r1", 9, "successes", 30_000, 0, 0, 0, "call", 0, "", 0].map(String)]);
  vi.useRealTimers();
});
