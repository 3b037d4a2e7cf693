import type { MailServiceServer } from "@turnpike/proto/messaging/v1/mail_service";
import { requireAdmin, requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { MailService } from "./mail-service.ts";

/** The mail rpcs: services queue mail, administrators test the settings. */
export const mailHandlers = (mail: MailService): Handlers<MailServiceServer> => ({
  async sendMail(request, context) {
    requireService(context);
    await mail.queueRequest(request);
    return {};
  },
  async sendTestMail({ to }, context) {
    requireAdmin(context);
    await mail.sendTest(to);
    return {};
  },
});
