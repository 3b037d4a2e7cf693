import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { withBody } from "../../core/call/call-body.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { Choice } from "../../core/call/channel.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import { fetchImage } from "../../upstream/downloads/image-download.ts";
import { imageAddresses, withImages } from "./image-addresses.ts";
import type { InlineImage } from "../../upstream/downloads/image-download.ts";

const IMAGES_MAX = 16;

/** Whether the channel's provider accepts no image URLs, or none from callers of this dialect. */
function needsData(call: RelayCall, { channel }: Choice): boolean {
  const provider = findProvider(channel.type);
  if (provider?.requests?.requiresInlineImages !== true) return false;
  const exact = provider.forModel ? provider.forModel(getUpstreamModel(channel, call.model)) : provider;
  // Google's own callers know which URIs it accepts.
  return (
    exact.requests?.requiresInlineImages === true &&
    !(call.dialect.keepsImageUris && exact.wireFormat === call.dialect.name)
  );
}

export type InlineImages = ReturnType<typeof createInlineImages>;

/** Inlines images that callers sent by URL, for providers that do not fetch images themselves. */
export function createInlineImages(guard: Pick<PrivateAddressGuard, "fetch">) {
  const made = new WeakMap<RelayCall, Promise<RelayCall>>();
  const inline = async (call: RelayCall, urls: readonly string[]): Promise<RelayCall> => {
    if (urls.length > IMAGES_MAX)
      throw new RelayError("invalid_request", `more than ${IMAGES_MAX} images by URL`, { param: "messages" });
    const images = new Map(await Promise.all(urls.map(async (url) => [url, await fetchImage(guard, url)] as const)));
    return withBody(call, withImages(call.body, (url) => images.get(url)) as Json);
  };
  return {
    /** The call to send: the same call in most cases, else a promise shared by all attempts. */
    of(call: RelayCall, choice: Choice): RelayCall | Promise<RelayCall> {
      if (!needsData(call, choice)) return call;
      const known = made.get(call);
      if (known) return known;
      const urls = imageAddresses(call.body);
      if (urls.length === 0) return call;
      const making = inline(call, urls);
      made.set(call, making);
      return making;
    },
    /** Fetches an image that an upstream stores at a URL. Throws RelayError if it is unavailable. */
    fetch: (url: string): Promise<InlineImage> => fetchImage(guard, url),
  };
}
