import type { TokenUsageServiceServer } from "@turnpike/proto/billing/v1/token_usage_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowSelf } from "@turnpike/shared/grpc/caller";
import type { TokenUsage } from "./token-usage.ts";

/** RPCs over token usage: users request their own, the relay that of the calling token. */
export const tokenUsageHandlers = (usage: TokenUsage): Handlers<TokenUsageServiceServer> => ({
  async getTokenUsage(request, context) {
    allowSelf(context, request.userId);
    return usage.uses(request);
  },
  async getTokenBalance({ tokenId }, { actor }) {
    if (actor) throw new AppError("permission_denied", "for the relay, which knows the token by its key");
    return usage.balance(tokenId);
  },
});
