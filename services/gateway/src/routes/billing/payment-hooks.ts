import { AppError } from "@turnpike/shared/errors/app-error";
import type { HandleNotifyRequest, HandleNotifyResponse } from "@turnpike/proto/billing/v1/payment_service";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import { getRequestContext } from "../../http/request-context.ts";
import type { Services } from "../../http/services.ts";

const NOTIFY_TIMEOUT_MS = 10_000;
const FIELDS_MAX = 50;
const BODY_LIMIT = "256kb";
const NO_BODY = Buffer.alloc(0);
/** Failures that sending the notification again cannot fix. */
const FINAL_REJECTIONS = new Set(["not_configured", "bad_signature", "malformed"]);

/** The fields of a query or form; undefined when a name occurs twice, which no genuine notification does. */
export function readFields(text: string): Record<string, string> | undefined {
  const entries = [...new URLSearchParams(text)];
  const fields = new Map(entries);
  return entries.length > FIELDS_MAX || fields.size !== entries.length ? undefined : Object.fromEntries(fields);
}

const getQuery = (request: Request): string => request.url.split("?").slice(1).join("?");
const getBody = (request: Request): Buffer => (Buffer.isBuffer(request.body) ? request.body : NO_BODY);

/**
 * Callbacks of payment providers: no session, no origin, no JSON envelope. Billing decides by the signatures alone; the
 * responses are those that the providers expect. Mounted at /api before bodies are parsed as JSON.
 */
export function paymentHooks({ payments }: Pick<Services, "payments">): Router {
  const notify = async (request: Request, notice: Partial<HandleNotifyRequest> & { provider: string }) => {
    const { requestId, address, log } = getRequestContext(request);
    try {
      const whole = { fields: {}, body: NO_BODY, signature: "", address, ...notice };
      return await payments.handleNotify(whole, { requestId, timeoutMs: NOTIFY_TIMEOUT_MS });
    } catch (error) {
      log.warn(
        { reason: error instanceof AppError ? error.code : error },
        "payment notification could not be processed",
      );
      return undefined;
    }
  };
  const respondToEpay = (response: Response, outcome: HandleNotifyResponse | undefined): void => {
    // Providers send the notification again until they read "success".
    const status = outcome ? 200 : 503;
    response
      .status(status)
      .type("text/plain")
      .send(outcome?.accepted === true ? "success" : "fail");
  };
  const epay =
    (read: (request: Request) => string): RequestHandler =>
    async (request, response) => {
      const fields = readFields(read(request));
      const malformed: HandleNotifyResponse = { accepted: false, reason: "malformed" };
      respondToEpay(response, fields ? await notify(request, { provider: "epay", fields }) : malformed);
    };
  const stripe: RequestHandler = async (request, response) => {
    const signature = request.get("stripe-signature") ?? "";
    const outcome = await notify(request, { provider: "stripe", body: getBody(request), signature });
    if (!outcome) return void response.status(503).json({ received: false });
    // Anything but 2xx is sent again, for days: an order that is not found now may be found then.
    const status = FINAL_REJECTIONS.has(outcome.reason) ? 400 : outcome.reason === "unknown_order" ? 404 : 200;
    response.status(status).json({ received: status === 200, accepted: outcome.accepted, reason: outcome.reason });
  };
  const raw = express.raw({ type: () => true, limit: BODY_LIMIT });
  return Router()
    .get("/user/epay/notify", epay(getQuery))
    .post(
      "/user/epay/notify",
      raw,
      epay((request) => getBody(request).toString("utf8") || getQuery(request)),
    )
    .post(["/stripe/webhook", "/user/stripe/webhook"], raw, stripe);
}
