import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { expect, it } from "vitest";
import { isExpiredOrExhausted } from "./token-expiry.ts";

const NOW = 1_000;
const token = { status: TOKEN_STATUS.expired, expired_time: -1, unlimited_quota: false, remain_quota: 5 };

it("lets an expired token be enabled once an edit has changed its expiry", () => {
  expect(isExpiredOrExhausted({ ...token, expired_time: NOW }, NOW)).toBe(true);
  expect(isExpiredOrExhausted({ ...token, expired_time: NOW + 1 }, NOW)).toBe(false);
  expect(isExpiredOrExhausted(token, NOW)).toBe(false);
});

it("lets an exhausted token be enabled once an edit has given it quota or removed its limit", () => {
  const spent = { ...token, status: TOKEN_STATUS.exhausted, remain_quota: 0 };
  expect(isExpiredOrExhausted(spent, NOW)).toBe(true);
  expect(isExpiredOrExhausted({ ...spent, remain_quota: 1 }, NOW)).toBe(false);
  expect(isExpiredOrExhausted({ ...spent, unlimited_quota: true }, NOW)).toBe(false);
});

it("never blocks a token that was disabled by hand: the server reports what is wrong with it", () => {
  expect(isExpiredOrExhausted({ ...token, status: TOKEN_STATUS.disabled, remain_quota: 0 }, NOW)).toBe(false);
});
