import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World, type WorldOptions } from "../lib/world.ts";
import {
  DESK,
  openPage,
  openStorage,
  openWindow,
  type SessionState,
  settle,
  signIn,
  startBrowser,
  type Visitor,
} from "./browser.ts";

export type ConsoleWorld = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly browser: Browser;
  readonly session: SessionState;
  readonly stop: () => Promise<void>;
};

type Prepare = (world: World, upstream: FakeUpstream) => Promise<unknown>;
type Options = Pick<WorldOptions, "env">;

/** A tour of all pages makes more calls from one address than a person does. */
const NO_API_LIMIT = { GLOBAL_API_RATE_LIMIT_ENABLE: "false" };

/**
 * A complete system with its console, an upstream, a browser, and root signed in; `prepare` runs before the browser
 * opens the console.
 */
export async function startConsoleWorld(prepare: Prepare, options: Options = {}): Promise<ConsoleWorld> {
  const upstream = await startFakeUpstream();
  const env = { ...NO_API_LIMIT, ...options.env };
  const [world, browser] = await Promise.all([startWorld({ backing: testBacking(), env }), startBrowser()]);
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

/** What the tests of a file share, and the window that each test has for itself. */
export type Seat = ConsoleWorld & {
  readonly visitor: Visitor;
  readonly page: Page;
  /** Opens a page and waits until it is loaded. */
  readonly open: (path: string) => Promise<void>;
};

/**
 * The same for the tests of one file: started before them, stopped after them, with a new root window for each. The
 * windows share only the browser's cache of loaded and compiled console code.
 */
export function useConsole(prepare: Prepare, options: Options = {}): Seat {
  let place: ConsoleWorld | undefined;
  let storage: BrowserContext;
  const seat = {
    async open(path: string): Promise<void> {
      await seat.page.goto(path);
      await settle(seat.page);
    },
  } as Seat;
  beforeAll(async () => {
    place = await startConsoleWorld(prepare, options);
    Object.assign(seat, place);
    storage = await openStorage(place.browser, place.world.consoleUrl, DESK, place.session);
  }, 240_000);
  afterAll(() => place?.stop());
  beforeEach(async () => {
    await storage.clearCookies();
    await storage.addCookies(seat.session.cookies);
    const visitor = await openPage(storage);
    Object.assign(seat, { visitor, page: visitor.page });
    return () => visitor.page.close();
  });
  return seat;
}
