import { randomBytes } from "node:crypto";
import { ROLE } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import type { AuditLog } from "../audit/audit-log.ts";
import { isInGoodStanding } from "../users/user.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";

export type AccessTokenService = ReturnType<typeof createAccessTokenService>;

/** 24 bytes are the 32 characters that clients of the family expect. */
const TOKEN_BYTES = 24;
const TOKEN_LENGTH_MAX = 128;

/** System access tokens: one per user. Only a keyed hash is stored. */
export function createAccessTokenService(deps: {
  mongo: Connection;
  users: UserStore;
  audit: AuditLog;
  lookupHash: (secret: string) => string;
}) {
  const { mongo, users, audit, lookupHash } = deps;
  return {
    /** Replaces the actor's token and returns the new one, with an audit row for admins; throws user_not_found. */
    async replace(actor: Actor): Promise<string> {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const set = { accessTokenHash: lookupHash(token) };
      await inTransaction(mongo, async (session) => {
        await users.update(actor.userId, { set }, session);
        const row = { actor, action: "user.access_token", target: `user:${actor.userId}`, before: "", after: "" };
        if (actor.role >= ROLE.admin) await audit.record(row, session);
      });
      return token;
    },
    /**
     * Returns the token's user; throws access_token_invalid when the token is unknown or the user is banned or deleted.
     */
    async resolve(sent: string): Promise<UserDoc> {
      const token = sent.trim().replace(/^bearer\s+/i, "");
      const isPossible = token !== "" && token.length <= TOKEN_LENGTH_MAX;
      const user = isPossible ? await users.findByAccessTokenHash(lookupHash(token)) : undefined;
      if (!user || !isInGoodStanding(user)) throw new AppError("access_token_invalid", "no such access token");
      return user;
    },
  };
}
