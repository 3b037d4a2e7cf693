import type { ChatRequest, Json } from "../chat/chat.ts";
import { patchTopLevel } from "./body-patch.ts";
import type { Dialect, PathValues } from "./dialect.ts";
import type { RelayCall } from "./relay-call.ts";

/** The three forms of a call's body: parsed, as text, and as the internal representation, which is parsed on first use. */
type CallBody = Pick<RelayCall, "body" | "bodyText" | "request">;

/** The three forms of one body. `text` is the body as text: the bytes of the caller where they are kept. */
export function toCallBody(
  dialect: Dialect,
  path: PathValues,
  { body, text }: { readonly body: Json; readonly text: string },
): CallBody {
  let request: ChatRequest | undefined;
  return { body, bodyText: text, request: () => (request ??= dialect.parseRequest(body, path)) };
}

/** The call with another body. The one way to change a body: attempts that pass the text through and attempts that convert send the same. */
export const withBody = (call: RelayCall, body: Json, text = JSON.stringify(body)): RelayCall => ({
  ...call,
  ...toCallBody(call.dialect, call, { body, text }),
});

/** The call with some top-level fields replaced or added; the text keeps all other bytes. */
export const patchBody = (call: RelayCall, values: Json): RelayCall =>
  withBody(call, { ...call.body, ...values }, patchTopLevel(call.bodyText, values));
