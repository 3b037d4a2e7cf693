import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { PricingServiceServer } from "@turnpike/proto/billing/v1/pricing_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { priceList } from "./price-list.ts";

const MODELS_MAX = 5_000;

/** The RPC over prices; open to every caller. */
export const priceListHandlers = (options: () => OptionsInForce): Handlers<PricingServiceServer> => ({
  async listPrices({ models, userGroup }) {
    if (models.length > MODELS_MAX)
      throw new AppError("invalid_input", "too many models at once", { params: { detail: "models" } });
    return priceList(options(), models, userGroup);
  },
});
