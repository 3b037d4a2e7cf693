import { useMemo } from "react";
import { cn } from "../../lib/cn.ts";
import { markdownToHtml } from "./markdown.ts";
import { safeHtml } from "./safe-html.ts";

type RichTextProps = {
  readonly source: string;
  /** What `source` is written in; HTML in markdown is shown as text. */
  readonly format: "markdown" | "html";
  readonly className?: string;
};

/** A text that somebody wrote for others to read. Nothing in it can run or reach beyond its box. Load it with `lazy`. */
export function RichText({ source, format, className }: RichTextProps) {
  const html = useMemo(() => safeHtml(format === "html" ? source : markdownToHtml(source)), [source, format]);
  return <div className={cn("rich-text", className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
