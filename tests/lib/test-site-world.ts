import { afterAll, beforeAll, beforeEach } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream/fake-upstream.ts";
import { checkSettledLedger } from "./ledger-check.ts";
import { openTestSite, type TestSite } from "./test-site.ts";
import { testBacking } from "./backing/test-backing.ts";
import { startWorld, type World, type WorldOptions } from "./world.ts";

/** What the tests of a file share: a running system, the upstream of its channels, and root's client. */
export type TestSiteWorld = { readonly world: World; readonly upstream: FakeUpstream; readonly testSite: TestSite };

/**
 * A system for the tests of one file: started before them, stopped after them; its upstream deletes its scripts before
 * each. Whatever the tests did, the ledger must agree at the end.
 */
export function useTestSite(options: Omit<WorldOptions, "backing"> = {}): TestSiteWorld {
  const at = {} as { world?: World; upstream?: FakeUpstream; testSite?: TestSite };
  beforeAll(async () => {
    at.upstream = await startFakeUpstream();
    at.world = await startWorld({ backing: testBacking(), ...options });
    at.testSite = await openTestSite(at.world, at.upstream.url);
  }, 120_000);
  beforeEach(() => at.upstream?.reset());
  afterAll(async () => {
    await at.world?.stop();
    await at.upstream?.stop();
  });
  // Runs before the one above, which runs whatever the check finds.
  afterAll(() => at.world && checkSettledLedger(at.world), 120_000);
  return at as TestSiteWorld;
}
