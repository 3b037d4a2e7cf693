import { mapTexts } from "../chat/json.ts";
import { RelayError, type UpstreamFailure } from "../errors/relay-error.ts";

/** Shorter parts (a region, an application id) may occur in texts by coincidence. */
const SECRET_LENGTH_MIN = 8;

/** A key, and its parts if the provider's key has several (`id|secret|region`). */
const getSecrets = (key: string): string[] =>
  [key, ...key.split("|")].filter(({ length }) => length >= SECRET_LENGTH_MIN);

/** The host of the channel's base URL, with and without its port. */
function getHosts(baseUrl: string): string[] {
  const url = URL.parse(baseUrl);
  return url ? [url.host, url.hostname].filter(({ length }) => length >= SECRET_LENGTH_MIN) : [];
}

/**
 * Removes the key and the channel's host from an error, since some upstreams quote them in various encodings. Returns
 * the same error if it contains neither.
 */
export function redactSecrets(error: RelayError, key: string, baseUrl = ""): RelayError {
  const { upstream, code, status, param, retryAfterSeconds, usage, cause } = error;
  if (!upstream) return error;
  const hidden = [
    ...getSecrets(key).map((secret) => [secret, "[key]"] as const),
    ...getHosts(baseUrl).map((host) => [host, "[address]"] as const),
  ];
  const clean = (text: string): string => hidden.reduce((safe, [secret, mask]) => safe.replaceAll(secret, mask), text);
  const message = clean(error.message);
  const reported = mapTexts(upstream, clean) as UpstreamFailure;
  if (message === error.message && JSON.stringify(reported) === JSON.stringify(upstream)) return error;
  return new RelayError(code, message, {
    status,
    upstream: reported,
    usage,
    cause,
    ...(param === undefined ? {} : { param }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

type Used = { readonly channel: { readonly baseUrl: string }; readonly key: string };

/** The variant for the channel and key of an attempt. */
export const redactAttemptSecrets = ({ channel, key }: Used, error: RelayError): RelayError =>
  redactSecrets(error, key, channel.baseUrl);
