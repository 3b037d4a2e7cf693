import type { IncomingHttpHeaders } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import {
  type AddressRange,
  CLOUDFLARE_RANGES,
  isInRanges,
  PRIVATE_RANGES,
  readAddress,
  readForwardedAddress,
} from "./address-ranges.ts";

/** The trusted proxies: those named in the environment, and those of the reverse-proxy options. */
export type ProxyTrust = {
  readonly trustedProxies: readonly AddressRange[];
  /** undefined while the option is off. */
  readonly provider: "nginx" | "cloudflare" | undefined;
};

/** The trusted proxies by TRUSTED_PROXIES and the reverse-proxy options, which hold for every public port. */
export function toProxyTrust(options: OptionsInForce, trustedProxies: readonly AddressRange[]): ProxyTrust {
  const provider = options.text("ReverseProxyProvider") === "cloudflare" ? "cloudflare" : "nginx";
  return { trustedProxies, provider: options.flag("ReverseProxyEnabled") ? provider : undefined };
}

/** The remote end of a connection. */
export type ClientAddress = {
  /** The client's address; the peer's own unless a trusted proxy reports another. */
  readonly address: string;
  /** Whether the peer is a proxy whose forwarding headers are trusted. */
  readonly isProxied: boolean;
};

const headerText = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(",") : (value ?? "");

/** The last entry that no trusted proxy added: entries to its left may be forged. */
function forwardedFor(header: string, trusted: readonly AddressRange[]): string | undefined {
  let nearest: string | undefined;
  for (const entry of header.split(",").reverse()) {
    const address = readForwardedAddress(entry);
    if (!address) break;
    nearest = address.toString();
    if (!isInRanges(address, trusted)) break;
  }
  return nearest;
}

const plain = (text: string): string | undefined => readForwardedAddress(text)?.toString();

/**
 * The client's address. The peer's own, unless the peer is one of TRUSTED_PROXIES (X-Forwarded-For, read from the
 * right), or the reverse-proxy option is on and the peer can be that proxy: nginx on this machine or a private network
 * (X-Real-IP, else X-Forwarded-For), Cloudflare from its own addresses or through a local tunnel (CF-Connecting-IP).
 * Headers of other peers are ignored.
 */
export function clientAddress(
  peer: string | undefined,
  headers: IncomingHttpHeaders,
  trust: ProxyTrust,
): ClientAddress {
  const peerAddress = readAddress(peer ?? "");
  if (!peerAddress) return { address: peer ?? "", isProxied: false };
  const own = { address: peerAddress.toString(), isProxied: false };
  const isNamed = isInRanges(peerAddress, trust.trustedProxies);
  const isNear = isNamed || isInRanges(peerAddress, PRIVATE_RANGES);
  if (trust.provider === "cloudflare" && (isNear || isInRanges(peerAddress, CLOUDFLARE_RANGES))) {
    const named = plain(headerText(headers["cf-connecting-ip"]));
    if (named !== undefined) return { address: named, isProxied: true };
  }
  if (trust.provider === "nginx" && isNear) {
    const named =
      plain(headerText(headers["x-real-ip"])) ??
      forwardedFor(headerText(headers["x-forwarded-for"]), trust.trustedProxies);
    if (named !== undefined) return { address: named, isProxied: true };
  }
  if (!isNamed) return own;
  const named = forwardedFor(headerText(headers["x-forwarded-for"]), trust.trustedProxies);
  return { address: named ?? own.address, isProxied: true };
}
