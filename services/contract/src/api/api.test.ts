import { describe, expect, it } from "vitest";
import { pageQuery } from "./common.ts";
import { ChannelUpdateBody } from "./channels/channel.ts";
import { LogFilter } from "./log.ts";
import { TokenCreateBody } from "./token.ts";

describe("page queries", () => {
  it("reads no page and no size as the first page of the default size", () => {
    expect(pageQuery(1).parse({})).toEqual({ page: 1, pageSize: 10 });
    expect(pageQuery(0).parse({ p: "", page_size: "" })).toEqual({ page: 0, pageSize: 10 });
  });
  it("limits the size and accepts size for page_size", () => {
    expect(pageQuery(0).parse({ p: "3", size: "1000" })).toEqual({ page: 3, pageSize: 100 });
    expect(pageQuery(1).parse({ p: "-4", page_size: "-1" })).toEqual({ page: 1, pageSize: 10 });
  });
  it("refuses input that is not a number", () => {
    expect(pageQuery(0).safeParse({ p: "two" }).success).toBe(false);
  });
});

describe("bodies", () => {
  it("reads numbers that were sent as text", () => {
    expect(ChannelUpdateBody.parse({ id: "7", priority: "-2" })).toEqual({ id: 7, priority: -2 });
  });
  it("gives a token its defaults", () => {
    expect(TokenCreateBody.parse({ name: " mine ", allow_ips: null })).toMatchObject({
      name: "mine",
      expired_time: -1,
      remain_quota: 500_000,
      allow_ips: "",
      rate_limit_period: 60,
    });
  });
  it("reads an empty filter as any value", () => {
    expect(LogFilter.parse({ type: "", channel: "3" })).toMatchObject({ type: 0, channel: 3, username: "" });
  });
});
