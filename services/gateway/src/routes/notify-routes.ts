import { Done, successSchema } from "@turnpike/contract/api/common";
import { TestMailBody, TestWebhookBody, TestWebhookResult } from "@turnpike/contract/api/notify";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Longer than messaging itself waits for a mail server or a webhook. */
const TEST_TIMEOUT_MS = 45_000;

const SPECS = {
  sendTestMail: { access: "admin", summary: "Send a test mail", returns: Done, body: TestMailBody },
  testWebhook: {
    access: "user",
    summary: "Send a test message to a webhook",
    returns: successSchema(TestWebhookResult),
    body: TestWebhookBody,
  },
} as const;

/** Tests of the mail and webhook settings. Mounted at /api. */
export function notifyRoutes({ services: { mail, webhooks }, route }: RoutesDeps): Router {
  return Router()
    .post(
      "/option/test_mail",
      route(SPECS.sendTestMail, async ({ body }, { call }) => {
        await mail.sendTestMail(body, { ...call, timeoutMs: TEST_TIMEOUT_MS });
        return ok();
      }),
    )
    .post(
      "/user/webhook/test",
      route(SPECS.testWebhook, async ({ body }, { caller, call }) => {
        const webhook = { userId: caller.user.id, url: body.webhook_url, secret: body.webhook_secret };
        const { status, durationMs } = await webhooks.testWebhook(webhook, { ...call, timeoutMs: TEST_TIMEOUT_MS });
        return ok({ status, duration_ms: durationMs });
      }),
    );
}
