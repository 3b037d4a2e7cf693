import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { RelayError } from "../../core/errors/relay-error.ts";
import { receiveResponse, through, type UpstreamClient } from "../upstream-client.ts";
import type { OnCancel } from "../upstream-call.ts";
import { fetchFile } from "./file-download.ts";

/** The timeout of one download. */
export const STORED_FILE_TIMEOUT_MS = 30_000;

/** The network path of a call: its channel's proxy, cancelled when the client disconnects. */
type Way = { readonly client: UpstreamClient; readonly proxy: string | undefined; readonly onCancel: OnCancel };

export type StoredFiles = ReturnType<typeof createStoredFiles>;

const refused = (why: string, cause?: unknown): RelayError =>
  new RelayError("invalid_request", `a file could not be fetched: ${why}`, { cause });

/**
 * Downloads files that upstreams store at a URL named in their response. Only public addresses are allowed, and the
 * channel's proxy is used if it has one: then the proxy connects, and the address is checked before. Throws RelayError
 * if the file is unavailable.
 */
export function createStoredFiles(deps: {
  readonly guard: Pick<PrivateAddressGuard, "fetch" | "check">;
  readonly bytesMax: number;
}) {
  const { guard, bytesMax } = deps;
  return {
    async fetch(url: string, { client, proxy, onCancel }: Way): Promise<Buffer> {
      if (proxy === undefined) return (await fetchFile(guard, url, refused)).bytes;
      await guard.check(url);
      const phases = { firstByteMs: STORED_FILE_TIMEOUT_MS, idleMs: STORED_FILE_TIMEOUT_MS };
      const request = { method: "GET" as const, url, headers: {}, body: undefined, ...phases, ...through(proxy) };
      const { status, body } = await receiveResponse(client, request, { bytesMax, onCancel });
      if (status !== 200) throw refused(`its URL responded with status ${status}`);
      return body;
    },
  };
}
