import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import { targetFor } from "../../providers/shared/fixtures.ts";
import type { Target } from "../../providers/contract/target.ts";
import type { Choice } from "../../core/call/channel.ts";
import { createUpstreamClient } from "../../upstream/upstream-client.ts";
import { createAccessTokens } from "./access-tokens.ts";

let requested = 0;
let result: (response: ServerResponse) => void;
let nowMs = 0;
let baseUrl = "";

const server = createServer((_, response) => {
  requested++;
  result(response);
});
const giveToken = (response: ServerResponse): void => {
  response.end(JSON.stringify({ access_token: `token-${requested}`, expires_in: 10_000 }));
};
const refuse = (response: ServerResponse): void => {
  response.writeHead(401).end(JSON.stringify({ error: "invalid_client", error_description: "unknown client id" }));
};

const client = createUpstreamClient({ connectMs: 1_000 });
const create = () => createAccessTokens({ client, options: () => optionsInForce([]), now: () => nowMs });
const baidu = (): Target => targetFor({ channelType: 15, baseUrl, key: "id|secret" });

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client.close();
  server.close();
});
beforeEach(() => {
  requested = 0;
  nowMs = 0;
  result = giveToken;
});

describe("access token cache", () => {
  it("skips the exchange if the provider accepts the key itself", () => {
    expect(create().forTarget(targetFor({ channelType: 1 }))).toBeUndefined();
  });

  it("fetches a token once for concurrent calls and keeps it until it expires", async () => {
    const tokens = create();
    const waiting = [tokens.forTarget(baidu()), tokens.forTarget(baidu())];
    expect(await Promise.all(waiting.map((token) => Promise.resolve(token)))).toEqual(["token-1", "token-1"]);
    expect(tokens.forTarget(baidu())).toBe("token-1");
    expect(requested).toBe(1);
  });

  it("renews a token before it expires; if renewal fails, the old token is used until it expires", async () => {
    const tokens = create();
    await tokens.forTarget(baidu());
    nowMs = 7_000_000;
    expect(await tokens.forTarget(baidu())).toBe("token-2");
    result = refuse;
    nowMs = 14_000_000;
    expect(await tokens.forTarget(baidu())).toBe("token-2");
    nowMs = 17_000_000;
    await expect(tokens.forTarget(baidu())).rejects.toThrow("unknown client id");
  });

  it("reports a refused exchange as an upstream refusal, and retries it with the next call", async () => {
    const tokens = create();
    result = refuse;
    const refused = await Promise.resolve(tokens.forTarget(baidu())).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RelayError);
    expect(refused).toMatchObject({ status: 401, upstream: { code: "invalid_client" } });
    result = giveToken;
    expect(await tokens.forTarget(baidu())).toBe("token-2");
  });

  it("drops a token that upstream rejected, with a retry if the token is older than the call", async () => {
    const tokens = create();
    const channel = { type: 15, baseUrl, prefix: "", modelMapping: {} };
    const choice = { channel, key: "id|secret" } as unknown as Choice;
    await tokens.of(choice);
    nowMs = 500;
    expect(tokens.forget(choice, 400)).toBe(true);
    expect(await tokens.of(choice)).toBe("token-2");
    expect([tokens.forget(choice, 400), tokens.forget(choice, 400)]).toEqual([false, false]);
  });

  it.each([
    [400, 401],
    [403, 401],
    [429, 429],
    [503, 503],
  ])(
    "maps a failed exchange with status %i to %i, since the exchange carries nothing from the caller",
    async (tokenStatus, status) => {
      result = (response) =>
        response
          .writeHead(tokenStatus)
          .end(JSON.stringify({ error: "invalid_grant", error_description: "account not found" }));
      await expect(create().forTarget(baidu())).rejects.toMatchObject({ status, message: "account not found" });
    },
  );
});
