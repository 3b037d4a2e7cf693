import { useMemo } from "react";
import { safeHtml } from "./safe-html.ts";

/** HTML that the server made of what an admin wrote. Nothing in it can run or reach beyond its box. Load it with `lazy`. */
export function RichText({ html }: { readonly html: string }) {
  const safe = useMemo(() => safeHtml(html), [html]);
  return <div className="rich-text" dangerouslySetInnerHTML={{ __html: safe }} />;
}
