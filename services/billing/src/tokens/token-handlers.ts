import type { TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import {
  allowOwner,
  allowSelf,
  allowSelfOrRoot,
  requireAdmin,
  requireRoot,
  requireService,
} from "@turnpike/shared/grpc/caller";
import type { TokenService } from "./token-service.ts";

/** RPCs over tokens: users' own, the relay's lookup, and those of a whole group. */
export const tokenHandlers = (tokens: TokenService, audit: RecordAudit): Handlers<TokenServiceServer> => ({
  async listTokens(request, context) {
    allowOwner(context, [request.userId]);
    const { items, total } = await tokens.list(request);
    // Keys are their owner's alone; administrators see what tokens a user has.
    const isOwner = !context.actor || context.actor.userId === request.userId;
    return { items: isOwner ? items : items.map((token) => ({ ...token, key: "" })), total };
  },
  async getToken({ userId, id }, context) {
    allowSelf(context, userId);
    return { token: await tokens.get(userId, id) };
  },
  async createToken(request, context) {
    allowSelf(context, request.userId);
    return { token: await tokens.create(request) };
  },
  async declareToken(request, context) {
    requireRoot(context);
    return { token: { ...(await tokens.create(request, request.key)), key: "" } };
  },
  async updateToken(request, context) {
    allowSelfOrRoot(context, request.userId);
    return { token: await tokens.update(request) };
  },
  async deleteToken({ userId, id }, context) {
    allowSelfOrRoot(context, userId);
    await tokens.remove(userId, id);
    return {};
  },
  async countGroupTokens({ group }, context) {
    requireAdmin(context);
    return { count: await tokens.countOfGroup(group) };
  },
  async moveGroupTokens({ fromGroup, toGroup, limit }, context) {
    const actor = requireAdmin(context);
    const count = await tokens.moveGroup(fromGroup, toGroup, limit);
    const moved = {
      action: "token.move_group",
      target: `group:${fromGroup}`,
      after: { group: toGroup, tokens: count },
    };
    if (count > 0) await audit(actor, moved);
    return { count };
  },
  async findTokens({ userId, name }, context) {
    requireService(context);
    return { tokens: await tokens.findByName(userId, name) };
  },
  async resolveToken({ keyHash, foreignKeyHash }) {
    return { token: await tokens.resolve({ own: keyHash, foreign: foreignKeyHash }) };
  },
});
