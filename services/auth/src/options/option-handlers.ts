import { ROLE } from "@turnpike/contract/limits";
import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { requireRole } from "../edge/caller.ts";
import type { OptionReader } from "./option-reader.ts";
import type { OptionService } from "./option-service.ts";

type Rpcs = "listOptions" | "setOption" | "resetModelRatio" | "getOptionsSnapshot";

/** The rpcs over options; changing and listing is for admins, the snapshot for services. */
export const optionHandlers = (deps: {
  options: OptionService;
  reader: OptionReader;
}): Pick<Handlers<AuthServiceServer>, Rpcs> => ({
  async listOptions(_request, context) {
    return { options: await deps.options.list(requireRole(context, ROLE.admin).role) };
  },
  async setOption({ key, value }, context) {
    return { revision: await deps.options.set(requireRole(context, ROLE.admin), key, value) };
  },
  async resetModelRatio(_request, context) {
    return { revision: await deps.options.resetModelRatio(requireRole(context, ROLE.admin)) };
  },
  async getOptionsSnapshot() {
    const { revision, options } = await deps.reader.snapshot();
    return { revision, options: [...options] };
  },
});
