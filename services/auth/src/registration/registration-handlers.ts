import type { IdentityServiceServer } from "@turnpike/proto/auth/v1/identity_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { EmailCodes } from "./email-codes.ts";
import type { PasswordReset } from "./password-reset.ts";
import type { RegistrationService } from "./registration-service.ts";

type Rpcs = "sendVerificationCode" | "register" | "requestPasswordReset" | "resetPassword";

/** RPCs for visitors who have no account yet or lost their password. */
export const registrationHandlers = (deps: {
  emailCodes: EmailCodes;
  registration: RegistrationService;
  passwordReset: PasswordReset;
}): Pick<Handlers<IdentityServiceServer>, Rpcs> => ({
  async sendVerificationCode({ email, visitor }) {
    await deps.emailCodes.send(email, visitor);
    return {};
  },
  async register(request) {
    return { userId: (await deps.registration.register({ ...request, visitor: request.visitor }))._id };
  },
  async requestPasswordReset({ email, visitor }) {
    await deps.passwordReset.request(email, visitor);
    return {};
  },
  async resetPassword({ email, token, visitor }) {
    return { password: await deps.passwordReset.finish(email, token, visitor) };
  },
});
