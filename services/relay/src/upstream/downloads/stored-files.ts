import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { RelayError } from "../../core/errors/relay-error.ts";
import { type OnCancel, receiveResponse, through, type UpstreamClient } from "../upstream-client.ts";
import { fetchFile } from "./file-download.ts";

/** How long fetching one may take. */
export const STORED_FILE_TIMEOUT_MS = 30_000;

/** The way of a call: that of its channel, until the caller leaves. */
type Way = { readonly client: UpstreamClient; readonly proxy: string | undefined; readonly onCancel: OnCancel };

export type StoredFiles = ReturnType<typeof createStoredFiles>;

const refused = (why: string, cause?: unknown): RelayError =>
  new RelayError("invalid_request", `a file could not be fetched: ${why}`, { cause });

/**
 * Files that upstreams keep at an address which their answers name. They come from public addresses only, and the way of the channel:
 * through its proxy, where it has one, which is what connects then; the address is checked before. Throws RelayError for what cannot be had.
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
      if (status !== 200) throw refused(`its address answered with status ${status}`);
      return body;
    },
  };
}
