import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { SetupService } from "./setup-service.ts";

/** RPCs of the first-run setup; open to all because no user exists yet. */
export const setupHandlers = (setup: SetupService): Pick<Handlers<AuthServiceServer>, "getSetup" | "runSetup"> => ({
  getSetup: () => setup.state(),
  async runSetup(form) {
    return { rootUserId: await setup.run(form) };
  },
});
