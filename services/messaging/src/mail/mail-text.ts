/** One line or block of a mail, from which its text and its HTML are both made. Words are plain text. */
export type MailBlock =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string }
  | { readonly kind: "facts"; readonly rows: readonly (readonly [string, string])[] };

export type MailParts = { readonly subject: string; readonly blocks: readonly MailBlock[] };
export type MailContent = { readonly subject: string; readonly text: string; readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** A link's address when it is an http(s) one; any other shows as text only. */
const isWebAddress = (href: string): boolean => URL.canParse(href) && /^https?:$/.test(new URL(href).protocol);

function toText(block: MailBlock): string {
  switch (block.kind) {
    case "paragraph":
      return block.text;
    case "code":
      return `    ${block.text}`;
    case "link":
      return `${block.text}: ${block.href}`;
    case "facts":
      return block.rows.map(([name, value]) => `${name}: ${value}`).join("\n");
  }
}

function toHtml(block: MailBlock): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${escapeHtml(block.text)}</p>`;
    case "code":
      return `<p style="font:600 24px/1.4 monospace;letter-spacing:4px">${escapeHtml(block.text)}</p>`;
    case "link": {
      const href = escapeHtml(block.href);
      return isWebAddress(block.href)
        ? `<p><a href="${href}">${escapeHtml(block.text)}</a></p><p style="color:#666;word-break:break-all">${href}</p>`
        : `<p>${escapeHtml(block.text)}: ${href}</p>`;
    }
    case "facts":
      return `<table>${block.rows
        .map(
          ([name, value]) =>
            `<tr><td style="color:#666;padding-right:16px">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`,
        )
        .join("")}</table>`;
  }
}

/** The text of a mail as HTML, for uses other than mail. */
export const blocksHtml = (blocks: readonly MailBlock[]): string => blocks.map(toHtml).join("\n");

/** A mail as text and as HTML with the same words; no text is read as markup. */
export function writeMail({ subject, blocks }: MailParts): MailContent {
  const body = blocksHtml(blocks);
  return {
    // A subject is one line.
    subject: subject.replace(/\s+/g, " ").trim(),
    text: `${blocks.map(toText).join("\n\n")}\n`,
    html: `<!doctype html><html><head><meta charset="utf-8"></head><body style="font:16px/1.6 sans-serif;color:#222;max-width:560px;margin:24px auto;padding:0 16px">\n${body}\n</body></html>`,
  };
}
