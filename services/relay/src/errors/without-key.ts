import { mapTexts } from "../chat/json.ts";
import { RelayError, type UpstreamFailure } from "./relay-error.ts";

/** Shorter parts (a region, an application's number) stand in texts by chance. */
const SECRET_LENGTH_MIN = 8;

/** A key as a whole, and what it is made of where a provider's key holds several (`id|secret|region`). */
const secretsOf = (key: string): string[] =>
  [key, ...key.split("|")].filter(({ length }) => length >= SECRET_LENGTH_MIN);

/** The failure without the key that was used, which some upstreams quote whatever its form. The very same one where it is not in it. */
export function withoutKey(error: RelayError, key: string): RelayError {
  const { upstream, code, status, param, retryAfterSeconds, cause } = error;
  if (!upstream) return error;
  const clean = (text: string): string =>
    secretsOf(key).reduce((safe, secret) => safe.replaceAll(secret, "[key]"), text);
  const message = clean(error.message);
  const told = mapTexts(upstream, clean) as UpstreamFailure;
  if (message === error.message && JSON.stringify(told) === JSON.stringify(upstream)) return error;
  return new RelayError(code, message, {
    status,
    upstream: told,
    cause,
    ...(param === undefined ? {} : { param }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
