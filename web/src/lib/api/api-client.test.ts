import { CreatedToken } from "@turnpike/contract/api/token";
import { UserProfile } from "@turnpike/contract/api/user";
import { afterEach, describe, expect, it, vi } from "vitest";
import { api, callRaw } from "./api-client.ts";
import { z } from "zod/mini";

/** Responds to the next call with a JSON body. */
const respond = (body: unknown, status = 200): void => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify(body), { status, headers: { "x-request-id": "r-1", "retry-after": "7" } }),
    ),
  );
};

describe("a call of the api client", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("returns the data by the contract's schema, without fields that the schema does not name", async () => {
    respond({ success: true, message: "", data: { id: 3, key: "k", later: true } });
    expect(await api.post("/api/token/", { schema: CreatedToken })).toEqual({ id: 3, key: "k" });
  });

  it("refuses data that does not fit the schema, with the request id", async () => {
    respond({ success: true, message: "", data: { id: "3", key: "k" } });
    await expect(api.get("/api/token/", { schema: CreatedToken })).rejects.toMatchObject({
      kind: "unreadable",
      details: { requestId: "r-1" },
    });
    respond({ success: true, message: "" });
    await expect(api.get("/api/user/self", { schema: UserProfile })).rejects.toMatchObject({ kind: "unreadable" });
  });

  it("accepts a success without data if no caller reads it", async () => {
    respond({ success: true });
    expect(await api.delete("/api/token/3")).toBeUndefined();
  });

  it("returns the complete body where the response has more than data", async () => {
    respond({ success: true, message: "", balance: 1.5 });
    expect(await callRaw("GET", "/api/x", { schema: z.object({ balance: z.number() }) })).toEqual({ balance: 1.5 });
  });

  it("throws the error of a refusal, and of a response that is no envelope", async () => {
    respond({ success: false, message: "no", code: "rate_limited", params: { seconds: "7" } }, 429);
    await expect(api.get("/api/x")).rejects.toMatchObject({
      kind: "refused",
      message: "no",
      details: { status: 429, code: "rate_limited", params: { seconds: "7" }, retryAfterSeconds: 7 },
    });
    respond("bad gateway", 502);
    await expect(api.get("/api/x")).rejects.toMatchObject({ kind: "http", details: { status: 502 } });
  });
});
