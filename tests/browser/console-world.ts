import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { testBacking } from "../lib/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";
import { openWindow, type SessionState, signIn, startBrowser } from "./browser.ts";

export type ConsoleWorld = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly browser: Browser;
  readonly session: SessionState;
  readonly stop: () => Promise<void>;
};

/** A whole system with its console, an upstream, a browser, and root signed in; `prepare` runs before the browser looks. */
export async function startConsoleWorld(
  prepare: (world: World, upstream: FakeUpstream) => Promise<unknown>,
): Promise<ConsoleWorld> {
  const upstream = await startFakeUpstream();
  const [world, browser] = await Promise.all([
    startWorld({ backing: testBacking(), withConsole: true }),
    startBrowser(),
  ]);
  await prepare(world, upstream);
  const { page, context } = await openWindow(browser, world.consoleUrl);
  await page.goto("/login");
  await signIn(page);
  await page.waitForURL("**/app/tokens");
  const session = await context.storageState();
  await context.close();
  return {
    world,
    upstream,
    browser,
    session,
    async stop(): Promise<void> {
      await browser.close();
      await world.stop();
      await upstream.stop();
    },
  };
}

/** Barriers of a page that axe calls serious or critical. */
export async function barriersOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
