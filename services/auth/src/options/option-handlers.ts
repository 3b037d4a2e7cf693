import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { OptionReader } from "./option-reader.ts";
import type { OptionService } from "./option-service.ts";

type Rpcs = "listOptions" | "setOption" | "setOptions" | "resetModelRatio" | "getOptionsSnapshot";

/** The rpcs over options; changing and listing is for admins, the snapshot for services. */
export const optionHandlers = (deps: {
  options: OptionService;
  reader: OptionReader;
}): Pick<Handlers<AuthServiceServer>, Rpcs> => ({
  async listOptions(_request, context) {
    return { options: await deps.options.list(requireAdmin(context).role) };
  },
  async setOption({ key, value }, context) {
    return { revision: await deps.options.set(requireAdmin(context), key, value) };
  },
  async setOptions({ options }, context) {
    return { revision: await deps.options.setAll(requireAdmin(context), options) };
  },
  async resetModelRatio(_request, context) {
    return { revision: await deps.options.resetModelRatio(requireAdmin(context)) };
  },
  async getOptionsSnapshot() {
    const { revision, options } = await deps.reader.snapshot();
    return { revision, options: [...options] };
  },
});
