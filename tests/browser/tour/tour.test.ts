import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWindow, type Visitor } from "../browser.ts";
import type { ConsoleWorld } from "../console-world.ts";
import { startTour, stopsIn, visit } from "./tour.ts";

let at: ConsoleWorld;
beforeAll(async () => {
  at = await startTour();
}, 240_000);
afterAll(() => at?.stop());

describe.each([
  { language: "en", width: 375 },
  { language: "zh", width: 1440 },
] as const)("pages in $language, loaded at $width px, then wide and narrow, light and dark", (look) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await openWindow(at.browser, at.world.consoleUrl, look, at.session);
    return () => visitor.context.close();
  });

  it.each(stopsIn(look.language))(
    "shows $name without errors, untranslated text, sideways scrolling or accessibility violations",
    async (stop) => {
      // The errors of a page that did not show give the reason.
      const found = await visit(visitor.page, stop, look).catch((error: unknown) => [`not shown: ${String(error)}`]);
      expect([...found, ...visitor.problems.splice(0)]).toEqual([]);
    },
  );
});
