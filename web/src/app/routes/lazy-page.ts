import { lazyRouteComponent } from "@tanstack/react-router";
import { loadAreaTexts, type TextArea } from "../../lib/text/i18n.ts";

/** A page whose code and texts are loaded together, when it is first visited. */
export const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  area: TextArea,
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    const [page] = await Promise.all([load(), loadAreaTexts(area)]);
    return page;
  }, name);
