import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { CreditService } from "./credit-service.ts";

/** The rpcs by which other services grant credits; the gateway has no way to them, and the actor, if any, is only the occasion. */
export const creditHandlers = (addCredit: CreditService): Handlers<CreditServiceServer> => ({
  addCredit: (request) => addCredit(request),
});
