import { TestMailBody, TestWebhookBody } from "@turnpike/contract/api/notify";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Longer than messaging itself waits for a mail server or a webhook. */
const TEST_TIMEOUT_MS = 45_000;

/** Try-outs of what notices are sent by. Mounted at /api. */
export function notifyRoutes({ services: { mail, webhooks }, route }: RoutesDeps): Router {
  return Router()
    .post(
      "/option/test_mail",
      route({ access: "admin", body: TestMailBody }, async ({ body }, { call }) => {
        await mail.sendTestMail(body, { ...call, timeoutMs: TEST_TIMEOUT_MS });
        return ok();
      }),
    )
    .post(
      "/user/webhook/test",
      route({ access: "user", body: TestWebhookBody }, async ({ body }, { caller, call }) => {
        const asked = { userId: caller.user.id, url: body.webhook_url, secret: body.webhook_secret };
        const { status, durationMs } = await webhooks.testWebhook(asked, { ...call, timeoutMs: TEST_TIMEOUT_MS });
        return ok({ status, duration_ms: durationMs });
      }),
    );
}
