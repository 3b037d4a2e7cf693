import { useDeferredValue, useMemo } from "react";
import { Marked } from "marked";
import { RichText } from "../../components/rich-text/rich-text.tsx";

const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** HTML in an answer is shown as the text it is; pictures are links, as loading one would tell a stranger who reads. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ href, text }) =>
      `<a href="${escapeHtml(href).replaceAll('"', "&quot;")}">${escapeHtml(text || href)}</a>`,
  },
});

/** What a model wrote, as markdown. Nothing in it can run. Load it with `lazy`. */
export function AnswerText({ source }: { readonly source: string }) {
  const shown = useDeferredValue(source);
  const html = useMemo(() => marked.parse(shown, { async: false }), [shown]);
  return <RichText html={html} />;
}
