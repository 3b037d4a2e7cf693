import { LedgerCheck, LedgerPage, Statement } from "@turnpike/contract/api/ledger";
import { TokenUsage } from "@turnpike/contract/api/token";
import type { GetStatementResponse } from "@turnpike/proto/billing/v1/ledger_service";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";
import { user } from "./fake-services.ts";

const NOV_2 = Date.parse("2026-11-02T10:00:00Z") / 1000;
const STATEMENT: GetStatementResponse = {
  openingQuota: 900,
  creditedQuota: 50,
  spentQuota: 75,
  closingQuota: 875,
  credits: [
    { reference: "gift:1", kind: "gift", amount: 50, creditsAfter: 950, reason: "=SUM(A1)", createdAtSeconds: NOV_2 },
  ],
  uses: [
    { day: "2026-11-01", modelName: "a,model", requestCount: 2, promptTokens: 6, completionTokens: 8, quota: 35 },
    { day: "2026-11-03", modelName: "b", requestCount: 1, promptTokens: 1, completionTokens: 1, quota: 40 },
  ],
  isCut: false,
};

let world: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  const entry = {
    id: "gift:1",
    userId: 7,
    kind: "gift",
    amount: 50,
    creditsAfter: 950,
    quotaAfter: undefined,
    reason: "r",
    createdAtSeconds: 5,
  };
  const run = { state: "done", startedAtSeconds: 1, finishedAtSeconds: 2, isClean: true, lines: ["all figures agree"] };
  world.fakes.ledger.searchLedger = async () => ({ items: [entry], total: 1, amount: 50, exactAmount: "50" });
  world.fakes.ledger.getStatement = async () => STATEMENT;
  world.fakes.ledger.getLedgerCheck = async () => ({ run });
  world.fakes.ledger.startLedgerCheck = async () => ({ run: { ...run, state: "running" } });
});

describe("the ledger", () => {
  it("returns the caller's own entries, whichever user is named", async () => {
    const response = await world.call("GET", "/api/ledger/self/?user_id=99&kind=gift", { as: "ada" });
    expect(LedgerPage.parse(response.body.data)).toMatchObject({
      total: 1,
      amount: 50,
      items: [{ quota_after: null }],
    });
    expect(world.last("searchLedger")?.request).toMatchObject({ userId: 7, kind: "gift" });
  });

  it("has a sum with all its digits, however large it is", async () => {
    const exactAmount = "90071992547409931";
    world.fakes.ledger.searchLedger = async () => ({ items: [], total: 1, amount: 0, exactAmount });
    const response = await fetch(`${world.url}/api/ledger/`, { headers: { cookie: "session=admin" } });
    expect(await response.text()).toContain(`"amount":${exactAmount}}`);
  });

  it("is searchable by admins over all users", async () => {
    const query = "reference=order:&start_timestamp=5&end_timestamp=9&p=3&page_size=20";
    const response = await world.call("GET", `/api/ledger/?${query}`, { as: "admin" });
    expect(response.body.data).toMatchObject({ page: 3, page_size: 20 });
    expect(world.last("searchLedger")?.request).toMatchObject({
      userId: 0,
      reference: "order:",
      startSeconds: 5,
      endSeconds: 9,
      page: 3,
      pageSize: 20,
    });
  });

  it("starts a check on request, and billing decides who may", async () => {
    const begun = await world.call("POST", "/api/ledger/check", { as: "root" });
    expect(LedgerCheck.parse(begun.body.data).state).toBe("running");
    const last = await world.call("GET", "/api/ledger/check", { as: "root" });
    expect(LedgerCheck.parse(last.body.data)).toMatchObject({ state: "done", is_clean: true });
    expect((await world.call("POST", "/api/ledger/check", { as: "ada" })).status).toBe(403);
  });
});

describe("ledger statement", () => {
  it("returns the caller's own month as data", async () => {
    const response = await world.call("GET", "/api/user/statement?month=2026-11", { as: "ada" });
    expect(Statement.parse(response.body.data)).toMatchObject({
      month: "2026-11",
      user_id: 7,
      username: "ada",
      opening_quota: 900,
      closing_quota: 875,
      quota_per_unit: 500_000,
    });
  });

  it("is a file whose column adds up to the balance, without formulas", async () => {
    const headers = { "accept-language": "en" };
    const response = await world.call("GET", "/api/user/statement?month=2026-11&format=csv", { as: "ada", headers });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="statement-7-2026-11.csv"`);
    expect(String(response.body).replace("\uFEFF", "").trimEnd().split("\r\n")).toEqual([
      "Date,Type,Item,Requests,Prompt tokens,Completion tokens,Quota,Dollars",
      "2026-11-01,Opening balance,,,,,900,0.0018",
      `2026-11-01,usage,"a,model",2,6,8,-35,-0.00007`,
      "2026-11-02,gift,'=SUM(A1),,,,50,0.0001",
      "2026-11-03,usage,b,1,1,1,-40,-0.00008",
      "2026-11,Closing balance,,,,,875,0.00175",
    ]);
  });

  it("uses Chinese row kinds in a Chinese file", async () => {
    const response = await world.call("GET", "/api/user/statement?month=2026-11&format=csv&lang=zh", { as: "ada" });
    const kinds = String(response.body)
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",")[1]);
    expect(kinds).toEqual(["类型", "期初余额", "模型调用", "赠送", "模型调用", "期末余额"]);
  });

  it("returns other users' statements to admins only", async () => {
    world.fakes.auth.getUser = async () => ({ user: user({ id: 8, username: "bob" }) });
    expect((await world.call("GET", "/api/user/statement?user_id=8", { as: "ada" })).status).toBe(403);
    const response = await world.call("GET", "/api/user/statement?user_id=8&month=2026-11", { as: "admin" });
    expect(response.body.data).toMatchObject({ user_id: 8, username: "bob" });
    expect(world.last("getStatement")?.request).toEqual({ userId: 8, month: "2026-11" });
  });
});

describe("bulk code operations", () => {
  const calls = [
    { method: "PUT", path: "/api/redemption/batch-disable", body: { ids: ["1", 2] }, rpc: "disableRedemptions" },
    { method: "DELETE", path: "/api/redemption/delete-disabled/", rpc: "deleteDisabledRedemptions" },
    { method: "GET", path: "/api/redemption/count-by-name?name=x", rpc: "countRedemptionsByName" },
    { method: "DELETE", path: "/api/redemption/delete-by-name/?name=x", rpc: "deleteRedemptionsByName" },
  ] as const;
  const requested = {
    disableRedemptions: { ids: [1, 2] },
    deleteDisabledRedemptions: {},
    countRedemptionsByName: { name: "x" },
    deleteRedemptionsByName: { name: "x" },
  };
  it.each(calls)("returns the number of affected codes for $method $path", async ({ method, path, rpc, ...rest }) => {
    world.fakes.redemptions[rpc] = async () => ({ count: 4 });
    const response = await world.call(method, path, { as: "admin", ...rest });
    expect(response.body).toEqual({ success: true, message: "", data: 4 });
    expect(world.last(rpc)?.request).toEqual(requested[rpc]);
    expect((await world.call(method, path, { as: "ada", ...rest })).status).toBe(403);
  });
});

describe("token usage over HTTP", () => {
  it("returns the caller's own token, for the last week if no time is given", async () => {
    const use = { day: "2026-11-01", modelName: "a", requestCount: 2, promptTokens: 4, completionTokens: 6, quota: 30 };
    world.fakes.tokenUsage.getTokenUsage = async () => ({ uses: [use], quota: 30 });
    const response = await world.call("GET", "/api/token/9/usage/?end_timestamp=1000000", { as: "ada" });
    expect(TokenUsage.parse(response.body.data)).toMatchObject({
      quota: 30,
      uses: [{ model_name: "a", request_count: 2 }],
    });
    const requested = { userId: 7, tokenId: 9, startSeconds: 1_000_000 - 7 * 86_400, endSeconds: 1_000_000 };
    expect(world.last("getTokenUsage")?.request).toEqual(requested);
  });
});
