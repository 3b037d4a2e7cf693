import { createHash } from "node:crypto";
import type { ConsoleClient } from "../lib/console-client.ts";

const EPAY = { id: "1001", key: "the merchant's key" } as const;

/** Enables online top-up with Epay; the provider's page is at `payAddress`. */
export async function openTill(root: ConsoleClient, consoleUrl: string, payAddress: string): Promise<void> {
  const options = { ServerAddress: consoleUrl, PayAddress: payAddress, EpayId: EPAY.id, EpayKey: EPAY.key };
  for (const [key, value] of Object.entries(options)) {
    // oxlint-disable-next-line no-await-in-loop -- options change one after another
    await root.put("/api/option/", { key, value });
  }
}

/** Epay's signature, as specified in its merchant documentation. */
function signed(fields: Readonly<Record<string, string>>): Record<string, string> {
  const text = Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  return { ...fields, sign: createHash("md5").update(`${text}${EPAY.key}`).digest("hex"), sign_type: "MD5" };
}

/** The notification that Epay sends to the site after the form created by the site was paid. */
export async function payForm(
  consoleUrl: string,
  form: Readonly<Record<string, string>>,
  paid: { readonly money?: string } = {},
): Promise<string> {
  const { out_trade_no = "", type = "", name = "", money = "" } = { ...form, ...paid };
  const notice = { pid: EPAY.id, trade_no: `EP${out_trade_no}`, out_trade_no, type, name, money };
  const query = new URLSearchParams(signed({ ...notice, trade_status: "TRADE_SUCCESS" }));
  const response = await fetch(`${consoleUrl}/api/user/epay/notify?${query.toString()}`);
  return response.text();
}
