import { randomUUID } from "node:crypto";
import type { GetNoticeTargetResponse } from "@turnpike/proto/auth/v1/notice_target_service";
import type { TestWebhookRequest, TestWebhookResponse } from "@turnpike/proto/messaging/v1/webhook_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { ClientSession } from "mongoose";
import { z } from "zod";
import { DeliveryFailure } from "../delivery/delivery-failure.ts";
import type { Send } from "../delivery/delivery-queue.ts";
import type { DeliveryEnqueuer } from "../delivery/delivery-enqueuer.ts";
import type { NoticeLimits } from "../delivery/notice-limits.ts";
import { type WebhookNotice, webhookBody } from "./webhook-body.ts";
import type { CallWebhook } from "./webhook-call.ts";

export type WebhookService = ReturnType<typeof createWebhookService>;

const LIFE_MS = 86_400_000;
const TESTS = { limit: 5, windowMs: 60_000 };
const QueuedCall = z.object({ userId: z.int(), body: z.string() });

const testNotice: WebhookNotice = {
  type: "webhook_test",
  title: "Webhook 测试 / Webhook test",
  content: "收到此通知说明 Webhook 配置正确。\nYou received this, so the webhook works.",
  values: [],
};

function toTestFailure(error: unknown): unknown {
  if (!(error instanceof DeliveryFailure)) return error;
  const { detail } = error;
  if (detail === "address not allowed") return new AppError("webhook_address_refused", "private address");
  return new AppError("webhook_failed", detail, { params: { detail } });
}

/**
 * Sends notices to the users' webhooks. Their secrets are requested from auth at the moment of the call and not stored.
 */
export function createWebhookService(deps: {
  enqueuer: DeliveryEnqueuer;
  call: CallWebhook;
  target: (userId: number) => Promise<GetNoticeTargetResponse>;
  limits: NoticeLimits;
  nowMs: () => number;
}) {
  const { enqueuer, call, target, limits, nowMs } = deps;
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);
  const targetForDelivery = async (userId: number): Promise<GetNoticeTargetResponse> => {
    try {
      return await target(userId);
    } catch (error) {
      const isUnknownUser = error instanceof AppError && error.code === "user_not_found";
      throw new DeliveryFailure(isUnknownUser ? "the user no longer exists" : "auth is unavailable", {
        isFinal: isUnknownUser,
      });
    }
  };
  return {
    /** Queues a notice to a user's webhook. In a transaction, wake the enqueuer after it. */
    async queue(
      { userId, notice, idempotencyKey }: { userId: number; notice: WebhookNotice; idempotencyKey: string },
      session?: ClientSession,
    ): Promise<void> {
      const payload = JSON.stringify({ userId, body: webhookBody(notice, nowSeconds()) });
      await enqueuer.put({ kind: "webhook", payload, lifeMs: LIFE_MS, idempotencyKey }, session);
    },
    /** Calls a webhook now. Throws webhook_url_required, webhook_url_not_https, webhook_address_refused, webhook_failed, rate_limited. */
    async test({ userId, url: typed, secret }: TestWebhookRequest): Promise<TestWebhookResponse> {
      const stored = await target(userId);
      const url = typed.trim() || stored.webhookUrl;
      if (url === "") throw new AppError("webhook_url_required", "no address");
      if (!URL.canParse(url) || new URL(url).protocol !== "https:")
        throw new AppError("webhook_url_not_https", "not an https address");
      const wait = await limits.take(`webhook_test:${userId}`, TESTS);
      if (wait > 0) throw new AppError("rate_limited", "too many tests", { params: { seconds: String(wait) } });
      // A stored secret signs calls of the stored address only: an address in the form may belong to another party.
      const signedBy = secret || (url === stored.webhookUrl ? stored.webhookSecret : "");
      const startMs = nowMs();
      try {
        const body = webhookBody(testNotice, nowSeconds());
        const status = await call({ id: randomUUID(), url, secret: signedBy, body });
        return { status, durationMs: nowMs() - startMs };
      } catch (error) {
        throw toTestFailure(error);
      }
    },
    /** Delivers a queued notice to the user's current webhook. */
    send: (async ({ id, payload }) => {
      const { userId, body } = QueuedCall.parse(JSON.parse(payload));
      const { webhookUrl: url, webhookSecret: secret } = await targetForDelivery(userId);
      if (url === "") throw new DeliveryFailure("the user no longer has a webhook", { isFinal: true });
      await call({ id, url, secret, body });
    }) satisfies Send,
  };
}
