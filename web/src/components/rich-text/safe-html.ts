import createPurifier from "dompurify";

const purifier = createPurifier(window);

// Links open in a new tab, without referrer and opener.
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
});

/** HTML by other users, without anything that runs, submits, frames or styles the page around it. */
export const safeHtml = (html: string): string =>
  purifier.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "dialog"],
    // Ids and names are removed too: they could shadow the console's own.
    FORBID_ATTR: ["style", "id", "name", "class"],
  });
