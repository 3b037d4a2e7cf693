import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { RelayError } from "../errors/relay-error.ts";
import { type OnCancel, receiveWhole, through, type UpstreamClient } from "../upstream/upstream-client.ts";
import { fetchFile } from "./fetch-file.ts";

/** How long fetching one may take. */
export const KEPT_FILE_MS = 30_000;

/** The way of a call: that of its channel, until the caller leaves. */
type Way = { readonly client: UpstreamClient; readonly proxy: string | undefined; readonly onCancel: OnCancel };

export type KeptFiles = ReturnType<typeof createKeptFiles>;

const refused = (why: string, cause?: unknown): RelayError =>
  new RelayError("invalid_request", `a file could not be fetched: ${why}`, { cause });

/**
 * Files that upstreams keep at an address which their answers name. They come from public addresses only, and the way of the channel:
 * through its proxy, where it has one, which is what connects then; the address is checked before. Throws RelayError for what cannot be had.
 */
export function createKeptFiles(deps: {
  readonly guard: Pick<PrivateAddressGuard, "fetch" | "check">;
  readonly bytesMax: number;
}) {
  const { guard, bytesMax } = deps;
  return {
    async fetch(url: string, { client, proxy, onCancel }: Way): Promise<Buffer> {
      if (proxy === undefined) return (await fetchFile(guard, url, refused)).bytes;
      await guard.check(url);
      const phases = { firstByteMs: KEPT_FILE_MS, idleMs: KEPT_FILE_MS };
      const request = { method: "GET" as const, url, headers: {}, body: undefined, ...phases, ...through(proxy) };
      const { status, body } = await receiveWhole(client, request, { bytesMax, onCancel });
      if (status !== 200) throw refused(`its address answered with status ${status}`);
      return body;
    },
  };
}
