import { z } from "zod/mini";

/** Body of `POST /api/option/test_mail`. */
export const TestMailBody = z.object({ to: z._default(z.string().check(z.trim(), z.maxLength(320)), "") });

/** Body of `POST /api/user/webhook/test`; an empty field selects the stored value. */
export const TestWebhookBody = z.object({
  webhook_url: z._default(z.string().check(z.trim(), z.maxLength(2_000)), ""),
  webhook_secret: z._default(z.string().check(z.maxLength(200)), ""),
});

/** Data of `POST /api/user/webhook/test`. */
export const TestWebhookResult = z.object({ status: z.int(), duration_ms: z.int() });
export type TestWebhookResult = z.infer<typeof TestWebhookResult>;
