import { randomBytes } from "node:crypto";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isInGoodStanding } from "../users/user.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";

export type AccessTokenService = ReturnType<typeof createAccessTokenService>;

/** 24 bytes are the 32 characters that clients of the family expect. */
const TOKEN_BYTES = 24;
const TOKEN_LENGTH_MAX = 128;

/** System access tokens: one for each user, of which only a keyed hash is kept. */
export function createAccessTokenService(deps: { users: UserStore; lookupHash: (secret: string) => string }) {
  const { users, lookupHash } = deps;
  return {
    /** Replaces the user's token and answers the new one; throws user_not_found. */
    async replace(userId: number): Promise<string> {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      await users.update(userId, { set: { accessTokenHash: lookupHash(token) } });
      return token;
    },
    /** The token's user; throws access_token_invalid when it is unknown or the user is banned or gone. */
    async resolve(sent: string): Promise<UserDoc> {
      const token = sent.trim().replace(/^bearer\s+/i, "");
      const isPossible = token !== "" && token.length <= TOKEN_LENGTH_MAX;
      const user = isPossible ? await users.findByAccessTokenHash(lookupHash(token)) : undefined;
      if (!user || !isInGoodStanding(user)) throw new AppError("access_token_invalid", "no such access token");
      return user;
    },
  };
}
