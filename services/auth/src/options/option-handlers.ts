import { isPriceKey } from "@turnpike/contract/options/price-options";
import type { AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { requireAdmin, requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { FormerPrices } from "./legacy-prices.ts";
import type { OptionReader } from "./option-reader.ts";
import type { OptionService } from "./option-service.ts";

type Rpcs =
  | "listOptions"
  | "setOption"
  | "setOptions"
  | "resetModelRatio"
  | "getOptionsSnapshot"
  | "listFormerPriceOptions";

/** The rpcs over options; changing and listing is for administrators, the snapshot for services. Prices are billing's. */
export const optionHandlers = (deps: {
  options: OptionService;
  prices: FormerPrices;
  reader: OptionReader;
}): Pick<Handlers<AuthServiceServer>, Rpcs> => ({
  async listOptions(_request, context) {
    return { options: deps.prices.withPrices(await deps.options.list(requireAdmin(context).role)) };
  },
  async setOption({ key, value }, context) {
    const actor = requireAdmin(context);
    const revision = isPriceKey(key) ? await deps.prices.change(actor, key, value) : undefined;
    return { revision: revision ?? (await deps.options.set(actor, key, value)) };
  },
  async setOptions({ options }, context) {
    return { revision: await deps.options.setAll(requireAdmin(context), options) };
  },
  async resetModelRatio(_request, context) {
    const actor = requireAdmin(context);
    const revision = await deps.prices.change(actor, "ModelRatio", undefined);
    return { revision: revision ?? (await deps.options.resetModelRatio(actor)) };
  },
  async getOptionsSnapshot() {
    const { revision, options } = await deps.reader.snapshot();
    return { revision, options: deps.prices.withPrices(options) };
  },
  async listFormerPriceOptions(_request, context) {
    requireService(context);
    return { options: await deps.prices.listStored() };
  },
});
