import type { Citation, Json } from "../../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../../core/chat/json.ts";

/** The parts of a response that cite pages Google found. */
export type Grounding = { readonly citations?: readonly Citation[] };

type Page = { readonly url: string; readonly title: string };
type Span = Pick<Citation, "startIndex" | "endIndex">;

const ADDRESS = /^https?:/;

/** What a chunk cites: a page, a place, the page of an image, or a document of the caller's that has an address. */
function readPage(value: unknown): Page | undefined {
  const { web, maps, image, retrievedContext } = asObject(value) ?? {};
  const page = asObject(web ?? maps ?? image ?? retrievedContext);
  const url = asText(page?.["uri"]) ?? asText(page?.["sourceUri"]);
  return url && ADDRESS.test(url) ? { url, title: asText(page?.["title"]) ?? "" } : undefined;
}

/**
 * The range of a citation. Google counts bytes within a part; its text is more reliable and is searched from the
 * previous citation on.
 */
function createSpans(text: string) {
  let from = 0;
  return (value: unknown): Span | undefined => {
    const words = asText(asObject(value)?.["text"]);
    if (!words) return undefined;
    const ahead = text.indexOf(words, from);
    const startIndex = ahead < 0 ? text.indexOf(words) : ahead;
    if (startIndex < 0) return undefined;
    from = startIndex;
    return { startIndex, endIndex: startIndex + words.length };
  };
}

function citedBy(supports: readonly unknown[], pages: readonly (Page | undefined)[], text: string): Citation[] {
  const getSpan = createSpans(text);
  return supports.flatMap((value) => {
    const support = asObject(value) ?? {};
    const span = getSpan(support["segment"]);
    if (!span) return [];
    return asList(support["groundingChunkIndices"]).flatMap((index) => {
      const page = pages[asNumber(index) ?? -1];
      return page ? [{ ...page, ...span }] : [];
    });
  });
}

/** The pages of a candidate's groundingMetadata; pages without a range apply to the whole text. */
export function readGrounding(candidate: Json | undefined, textSoFar: () => string): Grounding {
  const metadata = asObject(candidate?.["groundingMetadata"]);
  const pages = asList(metadata?.["groundingChunks"]).map(readPage);
  if (!pages.some((page) => page !== undefined)) return {};
  const text = textSoFar();
  const cited = citedBy(asList(metadata?.["groundingSupports"]), pages, text);
  if (cited.length > 0) return { citations: cited };
  const complete = { startIndex: 0, endIndex: text.length };
  return { citations: pages.flatMap((page) => (page ? [{ ...page, ...complete }] : [])) };
}
