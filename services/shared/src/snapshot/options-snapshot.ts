import { type OptionsInForce, optionsInForce } from "@turnpike/contract/options/options-in-force";
import { optionsChanged } from "../events/auth.ts";
import type { Bus } from "../events/bus.ts";
import { createSnapshot } from "./snapshot.ts";
import type { Logger } from "../log/log.ts";

type Fetched = {
  readonly revision: number;
  readonly options: readonly { readonly key: string; readonly value: string }[];
};

/** The options in force, kept up to date; the built-in defaults until auth answers for the first time. */
export function createOptionsSnapshot(deps: { fetch: () => Promise<Fetched>; bus: Bus; log: Logger }) {
  const snapshot = createSnapshot<OptionsInForce>({
    name: "options",
    initial: optionsInForce([]),
    fetch: async () => optionsInForce((await deps.fetch()).options),
    log: deps.log,
  });
  deps.bus.listen(optionsChanged, () => snapshot.refresh());
  return snapshot;
}
