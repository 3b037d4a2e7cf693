import createPurifier from "dompurify";
import { Marked } from "marked";

const marked = new Marked({ gfm: true, breaks: true });
const purifier = createPurifier(window);

const isOwnAddress = (href: string): boolean => /^(?:\/(?!\/)|#|\?)/.test(href);

// Links to this site open here; others open in a new tab, without referrer and opener.
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A" || isOwnAddress(node.getAttribute("href") ?? "")) return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** Whether a text is entirely HTML, as opposed to markdown with some HTML in it. */
const isHtml = (source: string): boolean => source.trimStart().startsWith("<");

/**
 * An operator's text for the site's own pages, in HTML or in markdown that may contain HTML, as HTML without anything
 * that runs, submits or frames. It may contain its own styles: its container keeps them from the console.
 */
export const siteHtml = (source: string): string =>
  purifier.sanitize(isHtml(source) ? source : marked.parse(source, { async: false }), {
    USE_PROFILES: { html: true, svg: true },
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "dialog"],
    // Ids and names are removed: they could shadow the console's own.
    FORBID_ATTR: ["id", "name"],
  });
