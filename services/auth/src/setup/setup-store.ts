import { AppError } from "@turnpike/shared/errors/app-error";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { SetupModel } from "./setup-model.ts";

export type SetupStore = ReturnType<typeof createSetupStore>;

const SETUP_ID = "site";

/** The only file that accesses the stored setup mark. */
export function createSetupStore(deps: { model: SetupModel; nowSeconds: () => number }) {
  const { model, nowSeconds } = deps;
  return {
    async isDone(): Promise<boolean> {
      return (await model.findById(SETUP_ID).maxTimeMS(QUERY_TIMEOUT_MS).lean()) !== null;
    },
    /** Marks the setup as done; throws setup_done when it already was, also under concurrency. */
    async markDone(session: ClientSession): Promise<void> {
      try {
        await model.create([{ _id: SETUP_ID, doneAtSeconds: nowSeconds() }], { session });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError("setup_done", "the setup has been done", { cause: error });
      }
    },
  };
}
