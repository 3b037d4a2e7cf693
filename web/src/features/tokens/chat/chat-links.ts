/** A chat client that can be opened with a token; `url` still has its placeholders. */
export type ChatLink = { readonly name: string; readonly url: string };

/** The values of a link's placeholders. */
export type ChatTarget = {
  /** With sk-. */
  readonly key: string;
  readonly address: string;
};

/**
 * The chat clients of the site's option Chats, an array of objects with one name and one URL each; undefined for any
 * other value.
 */
export function parseChatLinks(chats: readonly unknown[]): ChatLink[] | undefined {
  const links = chats.map((entry) => {
    const [pair, ...more] = typeof entry === "object" && entry !== null ? Object.entries(entry as object) : [];
    const [name, url] = pair ?? [];
    return typeof name === "string" && typeof url === "string" && more.length === 0 ? { name, url } : undefined;
  });
  return links.every((link) => link !== undefined) ? links : undefined;
}

/**
 * The address that opens a chat client: `{key}` and `{address}` filled in, as the clients of this family expect them.
 */
export const fillLink = ({ url }: ChatLink, { key, address }: ChatTarget): string =>
  url.replaceAll("{address}", encodeURIComponent(address)).replaceAll("{key}", encodeURIComponent(key));

/** Whether a client can be shown inside the console; apps and plain http open by themselves. */
export const isFramed = ({ url }: ChatLink): boolean => /^https:\/\//i.test(url);

/** An address that a browser may be redirected to: web pages and apps, never scripts. */
export const isOpenable = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^(javascript|data|vbscript|blob|file):/i.test(address);
