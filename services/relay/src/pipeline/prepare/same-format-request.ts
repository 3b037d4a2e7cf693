import type { RelayCall } from "../../core/call/relay-call.ts";
import { type Form, writeForm } from "../../core/call/multipart.ts";
import type { Json } from "../../core/chat/chat.ts";
import { contentSettings } from "../../content-policy/content-settings.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import type { Target } from "../../providers/contract/target.ts";
import type { OutgoingRequest } from "../../upstream/upstream-call.ts";
import { patchTopLevel } from "../../core/call/body-patch.ts";
import { getPostProcessing, type PrepareContext, type Prepared, signed } from "./prepared-request.ts";

/** Changes to a pass-through body: the model's name, a request for usage in streams, and the operator's overrides. */
function getBodyPatches(
  call: RelayCall,
  provider: Provider,
  target: Target,
  override: Json | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...override };
  const { endpoint, namesModelInPath, usageOnRequest } = call.dialect;
  // Other endpoints may omit the model (default) or name it in the URL.
  const written = endpoint ? call.body["model"] : call.model;
  if (target.model !== written && !namesModelInPath) values["model"] ??= target.model;
  const supportsStreamUsage = usageOnRequest && provider.streaming?.supportsStreamUsage !== false;
  if (call.stream && supportsStreamUsage && !call.includeUsage) {
    const sent = call.body["stream_options"];
    values["stream_options"] ??= { ...(typeof sent === "object" ? sent : {}), include_usage: true };
  }
  return values;
}

/** A multipart body with the changes applied, written anew; its files are not copied. */
function patchFormBody(form: Form, values: Record<string, unknown>, headers: Readonly<Record<string, string>>) {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const { body, contentType } = writeForm(form, Object.fromEntries(texts) as Record<string, string>);
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  return { body, headers: { ...headers, "content-type": contentType, "content-length": String(length) } };
}

/** The body if the caller sent a form, or if the provider writes its own; undefined for JSON that is passed through. */
function otherBody(
  call: RelayCall,
  { provider, target, headers }: { provider: Provider; target: Target; headers: Readonly<Record<string, string>> },
  override: Json | undefined,
) {
  const written = provider.requests?.writeBody?.({ ...call.body, ...override }, target);
  if (written) return { body: written.body, headers: { ...headers, ...written.headers } };
  return call.form && patchFormBody(call.form, getBodyPatches(call, provider, target, override), headers);
}

/** The stream encoder for such a body, if the provider has one. */
const writtenStream = ({ streaming }: Provider, body: Json): Pick<Prepared, "written"> =>
  streaming?.convertsStream ? { written: streaming.convertsStream(body) } : {};

/** The caller's bytes with only the necessary changes; re-encoded only if the model's rules change the body. */
function passThroughBody(call: RelayCall, provider: Provider, target: Target, override: Json | undefined): string {
  const values = getBodyPatches(call, provider, target, override);
  const adapted = provider.adaptBody?.(call.body, target) ?? call.body;
  if (adapted !== call.body) {
    // A suffix that the rules removed from the model's name is not restored.
    const { model: _model, ...others } = values;
    const keepsModel = adapted["model"] !== call.body["model"];
    return JSON.stringify({ ...adapted, ...(keepsModel ? { ...others, ...override } : values) });
  }
  return Object.keys(values).length === 0 ? call.bodyText : patchTopLevel(call.bodyText, values);
}

type SameFormat = {
  readonly provider: Provider;
  readonly target: Target;
  readonly override: Json | undefined;
  readonly phases: Pick<OutgoingRequest, "firstByteMs" | "idleMs">;
};

/** The request for an upstream of the caller's own format: the caller's body with only what must change. */
export function prepareSameFormat(call: RelayCall, context: PrepareContext, same: SameFormat): Prepared {
  const { provider, target, override, phases } = same;
  const method = "POST";
  const { url, headers } = provider.address(target, call.stream, call.body);
  const sent = otherBody(call, { provider, target, headers }, override);
  const last = getPostProcessing(provider, call.body, target);
  if (sent) return { provider, passThrough: true, request: { method, url, ...sent, ...phases }, ...last };
  const keepsBody = contentSettings(context.options).passesBodies && call.dialect.passesBodyUnchanged;
  const body = keepsBody ? call.bodyText : passThroughBody(call, provider, target, override);
  const request = signed(provider, { method, url, headers, body, ...phases }, target, context.nowMs);
  // Filtered content, and a stream that may end at a ceiling, must be decoded and re-encoded; non-chat endpoints have no other format.
  const isDecoded = call.content?.filtersOutput === true || call.chargeLimit !== undefined;
  const isFiltered = isDecoded && !call.dialect.endpoint && call.stream;
  const passThrough = provider.responses?.rewritesResponses !== true && !isFiltered;
  return { provider, passThrough, request, ...last, ...writtenStream(provider, call.body) };
}
