import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { toUser } from "../users/user.ts";
import type { AccessTokenService } from "./access-token-service.ts";

/** RPCs over system access tokens; users create only their own. */
export const accessTokenHandlers = (
  tokens: AccessTokenService,
): Pick<Handlers<AuthServiceServer>, "resolveAccessToken" | "createAccessToken"> => ({
  async resolveAccessToken({ accessToken }) {
    return { user: toUser(await tokens.resolve(accessToken)) };
  },
  async createAccessToken({ userId }, context) {
    return { accessToken: await tokens.replace(requireSelf(context, userId)) };
  },
});
