import type { Route } from "../http/route.ts";
import type { Services } from "../http/services.ts";
import type { ReadSetupState } from "../site/setup-state.ts";
import type { SiteOptions } from "../site/site-options.ts";
import type { ProgramFacts } from "../site/site-status.ts";

/** Dependencies of the routes of every area. */
export type RoutesDeps = {
  readonly services: Services;
  readonly route: Route;
  readonly options: SiteOptions;
  readonly readSetupState: ReadSetupState;
  readonly program: ProgramFacts;
};
