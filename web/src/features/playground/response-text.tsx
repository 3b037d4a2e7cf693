import { useDeferredValue, useMemo } from "react";
import { RichText } from "../../components/rich-text/rich-text.tsx";
import { responseHtml } from "./response-html.ts";

/** A model's text, as markdown. Nothing in it can run. Load it with `lazy`. */
export function ResponseText({ source }: { readonly source: string }) {
  const shown = useDeferredValue(source);
  const html = useMemo(() => responseHtml(shown), [shown]);
  return <RichText html={html} />;
}
