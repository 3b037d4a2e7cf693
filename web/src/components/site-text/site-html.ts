import createPurifier from "dompurify";
import { Marked } from "marked";

const marked = new Marked({ gfm: true, breaks: true });
const purifier = createPurifier(window);

const isOwnAddress = (href: string): boolean => /^(?:\/(?!\/)|#|\?)/.test(href);

// Pages of this site open here; whatever else is linked opens beside the console and learns nothing of it.
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A" || isOwnAddress(node.getAttribute("href") ?? "")) return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** Whether a text is HTML throughout, and not markdown with some HTML in it. */
const isHtml = (source: string): boolean => source.trimStart().startsWith("<");

/**
 * What an operator wrote for the site's own pages, in HTML or in markdown that may hold HTML, as HTML without anything that
 * runs, submits or frames. It may bring its own looks: the box it stands in keeps them from reaching the console.
 */
export const siteHtml = (source: string): string =>
  purifier.sanitize(isHtml(source) ? source : marked.parse(source, { async: false }), {
    USE_PROFILES: { html: true, svg: true },
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "dialog"],
    // No id and no name: they could take the place of ours.
    FORBID_ATTR: ["id", "name"],
  });
