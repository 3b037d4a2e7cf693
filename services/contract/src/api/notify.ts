import { z } from "zod";

/** Body of `POST /api/option/test_mail`. */
export const TestMailBody = z.object({ to: z.string().trim().max(320).default("") });

/** Body of `POST /api/user/webhook/test`; empty fields mean the stored values. */
export const TestWebhookBody = z.object({
  webhook_url: z.string().trim().max(2_000).default(""),
  webhook_secret: z.string().max(200).default(""),
});

/** Data of `POST /api/user/webhook/test`. */
export const TestWebhookResult = z.object({ status: z.int(), duration_ms: z.int() });
export type TestWebhookResult = z.infer<typeof TestWebhookResult>;
