import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { CreditService } from "./credit-service.ts";

/**
 * RPCs through which other services grant credits. The gateway cannot reach them; the actor, if any, only triggered the
 * credit.
 */
export const creditHandlers = (addCredit: CreditService): Handlers<CreditServiceServer> => ({
  addCredit: (request) => addCredit(request),
});
