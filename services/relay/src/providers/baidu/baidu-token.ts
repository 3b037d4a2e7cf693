import { asNumber, asObject, asText } from "../../core/chat/json.ts";
import { getFailure } from "../shared/upstream-failure.ts";
import type { TokenExchange } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

const LIFETIME_SECONDS = 2_592_000;

function readToken(value: unknown): { token: string; lifetimeSeconds: number } {
  const body = asObject(value);
  const token = asText(body?.["access_token"]);
  if (token) return { token, lifetimeSeconds: asNumber(body?.["expires_in"]) ?? LIFETIME_SECONDS };
  const message = asText(body?.["error_description"]) || "the channel's key was refused";
  throw new StreamFailure(getFailure(message, { type: "authentication_error", code: asText(body?.["error"]) }), 401);
}

/** Exchanges `client id|client secret` for a token. */
export function exchangeBaidu({ key }: Target, base: string): TokenExchange {
  const [clientId = "", clientSecret = ""] = key.split("|").map((part) => part.trim());
  const query = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  return {
    url: `${base}/oauth/2.0/token?${query.toString()}`,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: "",
    read: readToken,
  };
}
