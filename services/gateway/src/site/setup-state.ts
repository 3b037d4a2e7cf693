import type { SetupState } from "@turnpike/contract/api/status";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../http/services.ts";

const DATABASE_TYPE = "mongodb";

/**
 * The state of the first-run setup. Once setup is complete it stays complete, so the state is requested only until
 * then.
 */
export function createSetupState({ auth }: Pick<Services, "auth">) {
  let done: SetupState | undefined;
  return async (call: CallOptions = {}): Promise<SetupState> => {
    if (done) return done;
    const setup = await auth.getSetup({}, call);
    const state = { status: setup.done, root_init: setup.rootExists, database_type: DATABASE_TYPE };
    if (setup.done) done = state;
    return state;
  };
}

export type ReadSetupState = ReturnType<typeof createSetupState>;
