import { createHmac } from "node:crypto";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { request } from "undici";
import { DeliveryFailure } from "../delivery/delivery-failure.ts";

/** One call of a user's webhook; `secret` signs it ("" for none), `id` is the same for each attempt. */
export type WebhookCall = {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
};
/** The operator's proxy for outgoing calls. */
export type Worker = { readonly url: string; readonly key: string };
export type CallWebhook = ReturnType<typeof createWebhookCall>;

const CALL_TIMEOUT_MS = 5_000;
/** Client errors that may pass. */
const PASSING_STATUSES = new Set([408, 425, 429]);

/** The signature that receivers check: HMAC-SHA256 of the body, in hex. */
export const signWebhook = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");

function toHeaders({ id, secret, body }: WebhookCall): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "turnpike-webhook",
    "x-webhook-id": id,
    ...(secret === "" ? {} : { "x-webhook-signature": signWebhook(secret, body) }),
  };
}

/** A refusal of the address guard, or the kind of a network error; never the address or a body. */
function toFailure(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error;
  if (error instanceof AppError && error.code === "address_not_allowed")
    return new DeliveryFailure("address not allowed", { isFinal: true, cause: error });
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === "TimeoutError" || at.name === "AbortError") return new DeliveryFailure("timeout");
    if ("code" in at && typeof at.code === "string") return new DeliveryFailure(at.code);
  }
  return new DeliveryFailure("network error");
}

function checkStatus(status: number): void {
  if (status >= 200 && status < 300) return;
  const isFinal = status >= 300 && status < 500 && !PASSING_STATUSES.has(status);
  throw new DeliveryFailure(`HTTP ${status}`, { isFinal });
}

/**
 * Calls webhooks: https only, public addresses only, no redirects, five seconds. With a worker the call goes through
 * the operator's worker. Returns the status; throws DeliveryFailure for anything but success.
 */
export function createWebhookCall(deps: { guard: PrivateAddressGuard; worker: () => Promise<Worker | undefined> }) {
  const { guard, worker } = deps;
  const callDirectly = async (call: WebhookCall): Promise<number> => {
    const init = {
      method: "POST",
      headers: toHeaders(call),
      body: call.body,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    };
    const response = await guard.fetch(call.url, init);
    await response.body?.cancel();
    return response.status;
  };
  const callThroughWorker = async (call: WebhookCall, { url, key }: Worker): Promise<number> => {
    await guard.check(call.url);
    const response = await request(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        url: call.url,
        key,
        method: "POST",
        headers: toHeaders(call),
        body: JSON.parse(call.body),
      }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    await response.body.dump();
    return response.statusCode;
  };
  return async function callWebhook(call: WebhookCall): Promise<number> {
    try {
      if (!URL.canParse(call.url) || new URL(call.url).protocol !== "https:")
        throw new DeliveryFailure("not an https address", { isFinal: true });
      const through = await worker();
      const status = through ? await callThroughWorker(call, through) : await callDirectly(call);
      checkStatus(status);
      return status;
    } catch (error) {
      throw toFailure(error);
    }
  };
}
