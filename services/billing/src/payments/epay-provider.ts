import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { formatCents } from "@turnpike/contract/pricing/dollars";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { SecretOptions } from "../auth-client/secret-options.ts";
import type { OrderDoc } from "../store/payment-documents.ts";
import { queryEpay, type EpaySettings } from "./epay-query.ts";
import { signEpay, isEpaySigned } from "./epay-signature.ts";
import { parseMoneyCents } from "./order-amounts.ts";
import {
  type Checkout,
  type Notice,
  type PaymentProvider,
  queryFailed,
  type Reading,
  type SiteAddresses,
  type Statement,
} from "./payment-provider.ts";

const TYPES: Readonly<Record<string, string>> = { zfb: "alipay", wx: "wxpay" };
const PAID = "TRADE_SUCCESS";
const CURRENCY = "cny";

/** A payment that the gateway reports, by the fields of a notification. */
function readPaid(fields: Notice["fields"]): Reading {
  const moneyCents = parseMoneyCents(fields["money"] ?? "");
  const tradeNo = fields["out_trade_no"] ?? "";
  if (moneyCents === undefined || tradeNo === "") return { verdict: "refused", reason: "malformed" };
  const providerReference = (fields["trade_no"] ?? "").slice(0, 128);
  const of = { currency: CURRENCY, checkoutReference: "", providerReference };
  return { verdict: "reported", statement: { event: "paid", tradeNo, moneyCents, ...of } };
}

/** Epay: a form that the browser posts to the merchant's gateway, and a signed notification when it is paid. */
export function createEpayProvider(deps: {
  options: () => OptionsInForce;
  secrets: SecretOptions;
  guard: Pick<PrivateAddressGuard, "fetch">;
}): PaymentProvider {
  const settings = async (): Promise<EpaySettings | undefined> => {
    const address = deps.options().text("PayAddress").trim().replace(/\/+$/, "");
    const merchantId = deps.options().text("EpayId").trim();
    if (!/^https?:\/\//.test(address) || !URL.canParse(address) || merchantId === "") return undefined;
    const key = (await deps.secrets(["EpayKey"]))["EpayKey"] ?? "";
    return key === "" ? undefined : { address, merchantId, key };
  };
  const toFields = (
    order: OrderDoc,
    { callback, site }: SiteAddresses,
    merchantId: string,
  ): Record<string, string> => ({
    pid: merchantId,
    type: TYPES[order.method] ?? "wxpay",
    out_trade_no: order.tradeNo,
    notify_url: `${callback}/api/user/epay/notify`,
    return_url: `${site}/app/wallet`,
    name: `TUC${order.amount}`,
    money: formatCents(order.moneyCents),
    device: "pc",
  });
  return {
    name: "epay",
    methods: Object.keys(TYPES),
    async tariff() {
      if (!(await settings())) return undefined;
      const options = deps.options();
      return { unitPrice: options.number("Price"), dollarsMin: options.number("MinTopUp"), currency: CURRENCY };
    },
    async open(order, addresses): Promise<Checkout> {
      const found = await settings();
      if (!found) throw new AppError("payment_not_configured", "Epay is not configured");
      const fields = toFields(order, addresses, found.merchantId);
      const signed = { ...fields, sign: signEpay(fields, found.key), sign_type: "MD5" };
      return { url: `${found.address}/submit.php`, fields: signed, checkoutReference: "", price: undefined };
    },
    async read({ fields }): Promise<Reading> {
      const found = await settings();
      if (!found) return { verdict: "refused", reason: "not_configured" };
      if (!isEpaySigned(fields, found.key)) return { verdict: "refused", reason: "bad_signature" };
      if (fields["pid"] !== found.merchantId) return { verdict: "refused", reason: "malformed" };
      return fields["trade_status"] === PAID ? readPaid(fields) : { verdict: "ignored" };
    },
    async query(order): Promise<Statement | undefined> {
      const found = await settings();
      if (!found) throw new AppError("payment_not_configured", "Epay is not configured");
      const paid = await queryEpay(deps.guard, order, found);
      if (!paid) return undefined;
      const reading = readPaid(paid);
      if (reading.verdict !== "reported") throw queryFailed("Epay: the response has no amount");
      return reading.statement;
    },
  };
}
