import { Marked, type TokenizerAndRendererExtension } from "marked";

const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** TeX between its marks; a single dollar only where no amount of money can be meant, by pandoc's rule. */
const MATH = /^(?:\$\$[^$]+\$\$|\\\[[\s\S]+?\\\]|\\\([\s\S]+?\\\)|\$(?![\s$])[^$\n]*[^\s$\\]\$(?!\d))/;

/** Formulas stay as they were written: markdown would take their backslashes, underscores and asterisks for its own. */
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
 * HTML in an answer is shown as the text it is; pictures are links, as loading one would tell a stranger who reads. Boxes of task
 * lists are signs, since form fields are taken out of it.
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

/** What a model wrote in markdown, as HTML that still has to be made safe. */
export const answerHtml = (source: string): string => marked.parse(source, { async: false });
