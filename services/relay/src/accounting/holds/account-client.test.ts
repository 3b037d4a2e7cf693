import { expect, it, vi } from "vitest";
import { AccountClient } from "./account-client.ts";
import type { Limit } from "./limits/limit-arguments.ts";

type Redis = ConstructorParameters<typeof AccountClient>[0]["redis"];

it("releases a hold with the counted limits, but not the token estimate, which must not be released twice", async () => {
  vi.useFakeTimers();
  const sent: string[][] = [];
  const lost: string[] = [];
  const sendCommand = ({ args: [, ...args] }: { args: unknown[] }) => {
    sent.push(args.map(String));
    return Promise.resolve([0, -1, 1, 0, "call"]);
  };
  const client = new AccountClient({
    redis: { options: {}, sendCommand } as unknown as Redis,
    relayId: "r1",
    reportLost: (hold) => void lost.push(hold.requestId),
  });
  const limits: Limit[] = [
    { name: "n5", max: 100, periodMs: 60_000, counts: "tokens", guessedTokens: 50 },
    { name: "t5", max: 3, periodMs: 60_000, counts: "starts" },
    { name: "p5", max: 3, periodMs: 30_000, counts: "successes" },
  ];
  client.releaseHold({ requestId: "call", userId: 7, tokenId: 5, limits });
  await vi.advanceTimersByTimeAsync(1_000);
  const keys = [4, "acct:{7}", "open:{7}", "tok:{7}:5", "rl:{7}:p5"];
  expect(sent).toEqual([[...keys, 5, "r1", 0, "successes", 30_000, 0, 0, 0, "call", 0, "", 0].map(String)]);
  expect(lost).toEqual(["call"]);
  vi.useRealTimers();
});
