import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type BackingUrls, withNamespace } from "./backing-urls.ts";

declare module "vitest" {
  // The way vitest types what a global set-up provides.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  export interface ProvidedContext {
    backing: BackingUrls;
  }
}

/** Real MongoDB, Redis and NATS of this test run, with a database and a namespace of the test's own. */
export const testBacking = (): BackingUrls => withNamespace(inject("backing"), `t${randomBytes(4).toString("hex")}`);
