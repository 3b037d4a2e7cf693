import { useMemo } from "react";
import { safeHtml } from "./safe-html.ts";

/**
 * HTML that the server made from an administrator's text. Nothing in it can run or leave its box. Load it with `lazy`.
 */
export function RichText({ html }: { readonly html: string }) {
  const safe = useMemo(() => safeHtml(html), [html]);
  return <div className="rich-text" dangerouslySetInnerHTML={{ __html: safe }} />;
}
