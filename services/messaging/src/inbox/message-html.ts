import { Marked } from "marked";
import sanitizeHtml from "sanitize-html";

export const MESSAGE_FORMATS = ["markdown", "html"] as const;
export type MessageFormat = (typeof MESSAGE_FORMATS)[number];

const PREVIEW_LENGTH_MAX = 100;
const SHOWN_IMAGE = /^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/i;

/** Allowed elements: structured text, links and images. No styles, since they could cover the page. */
const RULES: sanitizeHtml.IOptions = {
  allowedTags: [
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "br", "hr", "blockquote", "pre", "code", "ul", "ol", "li", "dl", "dt", "dd",
    "a", "img", "b", "strong", "i", "em", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "kbd", "abbr", "figure", "figcaption",
    "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "details", "summary",
  ], // prettier-ignore
  allowedAttributes: {
    a: ["href", "title", "rel", "target"],
    img: ["src", "alt", "title", "width", "height"],
    th: ["colspan", "rowspan", "align"],
    td: ["colspan", "rowspan", "align"],
    ol: ["start"],
    abbr: ["title"],
  },
  allowedSchemes: ["https", "http", "mailto"],
  allowedSchemesByTag: { img: ["https", "data"] },
  allowProtocolRelative: false,
  // Elements whose text is not for readers: their content is removed with them.
  nonTextTags: [
    "script",
    "style",
    "textarea",
    "option",
    "noscript",
    "title",
    "iframe",
    "noembed",
    "noframes",
    "xmp",
    "svg",
    "math",
  ],
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: { ...attribs, rel: "noopener noreferrer nofollow", target: "_blank" },
    }),
  },
  // A relative address would be a call to this site, made with the reader's session.
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && !SHOWN_IMAGE.test(attribs["src"] ?? ""),
};

const marked = new Marked({ gfm: true, breaks: true, async: false });

/** Sanitised HTML without scripts, script loads or overlays; safe to put into a page. */
export const cleanHtml = (html: string): string => sanitizeHtml(html, RULES);

/** A message's text as safe HTML, whatever its format. */
export const renderMessage = (content: string, format: string): string =>
  cleanHtml(format === "html" ? content : (marked.parse(content) as string));

const plainText = (html: string): string =>
  sanitizeHtml(html.replace(/(<\/(p|div|h\d|li|td|th|tr|blockquote|pre)>|<br ?\/?>)/gi, " $1"), {
    allowedTags: [],
    allowedAttributes: {},
  })
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

const countCharacters = new Intl.Segmenter();

/** The start of a message as plain text: at most 100 characters, including three for the ellipsis of a longer one. */
export function toPreview(safeHtml: string): string {
  // Longer than any preview, so that a long message is not parsed as a whole.
  const start = plainText(safeHtml).slice(0, PREVIEW_LENGTH_MAX * 40);
  const signs = Array.from(countCharacters.segment(start), ({ segment }) => segment);
  return signs.length <= PREVIEW_LENGTH_MAX ? signs.join("") : `${signs.slice(0, PREVIEW_LENGTH_MAX - 3).join("")}...`;
}

/** Whether safe HTML shows any text or image. */
export const showsSomething = (safeHtml: string): boolean =>
  /<(img|hr)\b/i.test(safeHtml) || plainText(safeHtml) !== "";
