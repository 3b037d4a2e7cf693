import { createHash } from "node:crypto";

/** A signed JSON Web Token: three parts in base64url, of which the first is a JSON object. */
const SIGNED_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether a text may be a token of an issuer; no key contains a dot after `eyJ`. */
export const isOidcToken = (text: string): boolean => text.startsWith("eyJ") && SIGNED_TOKEN.test(text);

const CACHE_PREFIX = "oidc:";

/** The name of a key in the cache of callers: tokens of issuers, which are long, go by their digest. */
export const toCacheKey = (key: string): string =>
  isOidcToken(key) ? CACHE_PREFIX + createHash("sha256").update(key).digest("base64url") : key;

/** Whether a name in the cache stands for a token of an issuer. */
export const isOidcCacheKey = (cacheKey: string): boolean => cacheKey.startsWith(CACHE_PREFIX);
