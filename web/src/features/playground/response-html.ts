import { Marked, type TokenizerAndRendererExtension } from "marked";

const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** TeX between its delimiters; a single dollar only where it cannot be an amount of money, by pandoc's rule. */
const MATH = /^(?:\$\$[^$]+\$\$|\\\[[\s\S]+?\\\]|\\\([\s\S]+?\\\)|\$(?![\s$])[^$\n]*[^\s$\\]\$(?!\d))/;

/** Formulas stay unchanged: markdown would interpret their backslashes, underscores and asterisks. */
const formulas: TokenizerAndRendererExtension = {
  name: "formula",
  level: "inline",
  start: (source) => /\$|\\[[(]/.exec(source)?.index,
  tokenizer(source) {
    const [raw] = MATH.exec(source) ?? [];
    return raw === undefined ? undefined : { type: "formula", raw };
  },
  renderer: ({ raw }) => `<code>${escapeHtml(raw)}</code>`,
};

/**
 * HTML in a response is shown as text; images become links, because loading one would reveal the reader to another
 * site. Task list boxes are characters, because form fields are removed.
 */
const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [formulas],
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ href, text }) =>
      `<a href="${escapeHtml(href).replaceAll('"', "&quot;")}">${escapeHtml(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

/** A model's markdown as HTML, not yet sanitised. */
export const responseHtml = (source: string): string => marked.parse(source, { async: false });
