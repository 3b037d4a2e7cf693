import { Marked } from "marked";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const marked = new Marked({
  gfm: true,
  breaks: true,
  // HTML inside of markdown is shown as it was typed.
  renderer: { html: ({ text }) => escaped(text) },
});

/** Markdown as HTML; HTML in it stays text. */
export const markdownToHtml = (markdown: string): string => marked.parse(markdown, { async: false });
