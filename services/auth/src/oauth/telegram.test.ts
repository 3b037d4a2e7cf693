import { describe, expect, it } from "vitest";
import { readTelegram, telegramHash } from "./telegram.ts";

const botToken = "123456:a bot's token";
const nowSeconds = 1_700_000_000;
const fields = { id: "4711", first_name: "Ada", username: "ada", auth_date: String(nowSeconds - 10) };
const signed = (own: Record<string, string>, token = botToken) => ({ ...own, hash: telegramHash(own, token) });
const read = (own: Record<string, string>) => readTelegram(own, { botToken, nowSeconds });

describe("Telegram widget data", () => {
  it("is accepted when Telegram signed it just now", () => {
    expect(read(signed(fields))).toBe("4711");
    expect(read({ ...signed(fields), state: "ours", hash: signed(fields).hash.toUpperCase() })).toBe("4711");
    expect(read(signed({ ...fields, last_name: "Lovelace", photo_url: "https://t.me/i/1.jpg" }))).toBe("4711");
  });

  it("is rejected when it was changed or signed by another bot", () => {
    expect(read({ ...signed(fields), id: "1" })).toBeUndefined();
    expect(read({ ...signed(fields), auth_date: String(nowSeconds) })).toBeUndefined();
    expect(read({ ...signed(fields), last_name: "added" })).toBeUndefined();
    expect(read(signed(fields, "654321:another"))).toBeUndefined();
    for (const hash of ["", "0".repeat(64), signed(fields).hash.slice(0, -1)])
      expect(read({ ...fields, hash })).toBeUndefined();
  });

  it("is valid for five minutes and not before its time", () => {
    const at = (auth_date: number) => read(signed({ ...fields, auth_date: String(auth_date) }));
    expect(at(nowSeconds - 300)).toBe("4711");
    expect(at(nowSeconds - 301)).toBeUndefined();
    expect(at(nowSeconds + 60)).toBe("4711");
    expect(at(nowSeconds + 61)).toBeUndefined();
  });

  it("is rejected without a bot, an id or a date", () => {
    expect(readTelegram(signed(fields, ""), { botToken: "", nowSeconds })).toBeUndefined();
    expect(read(signed({ ...fields, id: "" }))).toBeUndefined();
    expect(read(signed({ ...fields, id: "1 OR 1" }))).toBeUndefined();
    expect(read(signed({ ...fields, auth_date: "" }))).toBeUndefined();
  });
});
