import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Maximum age of the widget data, and maximum lead of Telegram's clock. */
export const TELEGRAM_AGE_SECONDS_MAX = 300;
const AHEAD_SECONDS_MAX = 60;
/** Turnpike's own fields in addition to the widget's; Telegram signs all others. */
const UNSIGNED = ["hash", "state"];

const signedText = (fields: Readonly<Record<string, string>>): string =>
  Object.keys(fields)
    .filter((name) => !UNSIGNED.includes(name))
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join("\n");

/**
 * The signature that Telegram computes over the fields: HMAC-SHA256 in hex, keyed with the SHA-256 of the bot token.
 */
export const telegramHash = (fields: Readonly<Record<string, string>>, botToken: string): string =>
  createHmac("sha256", createHash("sha256").update(botToken).digest()).update(signedText(fields)).digest("hex");

/** The verified Telegram id; undefined for a wrong signature, stale data, or data without an id. */
export function readTelegram(
  fields: Readonly<Record<string, string>>,
  check: { readonly botToken: string; readonly nowSeconds: number },
): string | undefined {
  const { hash = "", id = "", auth_date: date = "" } = fields;
  if (check.botToken === "" || !/^\d{1,20}$/.test(id) || !/^\d{1,12}$/.test(date)) return undefined;
  const expected = Buffer.from(telegramHash(fields, check.botToken));
  const sent = Buffer.from(hash.toLowerCase());
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  const ageSeconds = check.nowSeconds - Number(date);
  return ageSeconds <= TELEGRAM_AGE_SECONDS_MAX && ageSeconds >= -AHEAD_SECONDS_MAX ? id : undefined;
}
