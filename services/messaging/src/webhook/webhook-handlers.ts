import type { WebhookServiceServer } from "@turnpike/proto/messaging/v1/webhook_service";
import { requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { WebhookService } from "./webhook-service.ts";

/** The rpc by which users test their webhook. */
export const webhookHandlers = (webhooks: WebhookService): Handlers<WebhookServiceServer> => ({
  async testWebhook(request, context) {
    requireSelf(context, request.userId);
    return webhooks.test(request);
  },
});
