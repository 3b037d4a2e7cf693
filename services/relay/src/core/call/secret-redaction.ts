import { mapTexts } from "../chat/json.ts";
import { RelayError, type UpstreamFailure } from "../errors/relay-error.ts";

/** Shorter parts (a region, an application's number) stand in texts by chance. */
const SECRET_LENGTH_MIN = 8;

/** A key as a whole, and what it is made of where a provider's key holds several (`id|secret|region`). */
const secretsOf = (key: string): string[] =>
  [key, ...key.split("|")].filter(({ length }) => length >= SECRET_LENGTH_MIN);

/** The host of the channel's address, with and without its port. */
function hostsOf(baseUrl: string): string[] {
  const url = URL.parse(baseUrl);
  return url ? [url.host, url.hostname].filter(({ length }) => length >= SECRET_LENGTH_MIN) : [];
}

/**
 * The failure without the key that was used and the channel's host, which some upstreams quote whatever their form. The very same one
 * where they are not in it.
 */
export function redactSecrets(error: RelayError, key: string, baseUrl = ""): RelayError {
  const { upstream, code, status, param, retryAfterSeconds, cause } = error;
  if (!upstream) return error;
  const hidden = [
    ...secretsOf(key).map((secret) => [secret, "[key]"] as const),
    ...hostsOf(baseUrl).map((host) => [host, "[address]"] as const),
  ];
  const clean = (text: string): string => hidden.reduce((safe, [secret, mask]) => safe.replaceAll(secret, mask), text);
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

type Used = { readonly channel: { readonly baseUrl: string }; readonly key: string };

/** The same for what an attempt at a channel was made with. */
export const redactAttemptSecrets = ({ channel, key }: Used, error: RelayError): RelayError =>
  redactSecrets(error, key, channel.baseUrl);
