import type { TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowSelf } from "@turnpike/shared/grpc/caller";
import type { TokenService } from "./token-service.ts";

/** RPCs over tokens: users' own, and the relay's lookup. */
export const tokenHandlers = (tokens: TokenService): Handlers<TokenServiceServer> => ({
  async listTokens(request, context) {
    allowSelf(context, request.userId);
    return tokens.list(request);
  },
  async getToken({ userId, id }, context) {
    allowSelf(context, userId);
    return { token: await tokens.get(userId, id) };
  },
  async createToken(request, context) {
    allowSelf(context, request.userId);
    return { token: await tokens.create(request) };
  },
  async updateToken(request, context) {
    allowSelf(context, request.userId);
    return { token: await tokens.update(request) };
  },
  async deleteToken({ userId, id }, context) {
    allowSelf(context, userId);
    await tokens.remove(userId, id);
    return {};
  },
  async resolveToken({ keyHash }) {
    return { token: await tokens.resolve(keyHash) };
  },
});
