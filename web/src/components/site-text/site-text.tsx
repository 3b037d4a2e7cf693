import { useMemo } from "react";
import { cn } from "../../lib/utils.ts";
import { siteHtml } from "./site-html.ts";

type SiteTextProps = { readonly source: string; readonly className?: string };

/** A text of the site's own pages, in markdown or HTML. Nothing in it can run or leave its box. Load it with `lazy`. */
export function SiteText({ source, className }: SiteTextProps) {
  const html = useMemo(() => siteHtml(source), [source]);
  return <div className={cn("rich-text", className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
