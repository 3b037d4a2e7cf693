import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { parseJson } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { Provider, Upload } from "../../providers/contract/provider.ts";
import type { Choice } from "../../core/call/channel.ts";
import { toUpstreamError, toRelayError } from "../../upstream/upstream-errors.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { OnCancel } from "../../upstream/upstream-call.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { providerSettings, toTarget } from "./provider-target.ts";

const UPLOAD_MS = 60_000;
const RESPONSE_BYTES_MAX = 256 * 1024;
const UPLOADS_MAX = 16;

type Deps = { readonly client: UpstreamClient; readonly options: () => OptionsInForce; readonly now: () => number };

type Attempt = { readonly provider: Provider; readonly choice: Choice; readonly onCancel: OnCancel };

async function send(deps: Deps, upload: Upload, { provider, choice, onCancel }: Attempt): Promise<unknown> {
  const { proxy, statusCodeMapping } = choice.channel;
  const request = { method: "POST" as const, ...upload, firstByteMs: UPLOAD_MS, idleMs: UPLOAD_MS, ...through(proxy) };
  const response = await receiveResponse(deps.client, request, { bytesMax: RESPONSE_BYTES_MAX, onCancel });
  if (response.status >= 200 && response.status <= 299) return parseJson(response.body.toString("utf8"));
  throw toUpstreamError({ response, provider, statusCodeMapping, nowMs: deps.now() });
}

/**
 * Uploads files that the provider needs before the call that refers to them; returns their provider names in order.
 * Undefined, without waiting, if there is nothing to upload, as for most calls. Rejects with the RelayError of a
 * refused upload.
 */
export function uploadFirst(
  deps: Deps,
  call: RelayCall,
  choice: Choice,
  onCancel: OnCancel,
): Promise<readonly string[]> | undefined {
  const provider = findProvider(choice.channel.type);
  const uploads = provider?.requests?.uploads;
  if (!provider || !uploads) return undefined;
  const target = toTarget(choice, call.model, providerSettings(deps.options()), call.clientHeaders);
  const files = uploads.of(call.request(), target);
  if (files.length === 0) return undefined;
  if (files.length > UPLOADS_MAX)
    throw new RelayError("invalid_request", `more than ${UPLOADS_MAX} images`, { param: "messages" });
  const sent = files.map(async (file) => uploads.read(await send(deps, file, { provider, choice, onCancel })));
  return Promise.all(sent).catch((error: unknown) => {
    throw toRelayError(error);
  });
}
