import type { User } from "@turnpike/proto/auth/v1/auth_service";

/** The caller as auth returns it now. */
export type Caller = {
  readonly user: User;
  /** undefined when the call came with an access token. */
  readonly sessionId: string | undefined;
};
