import type { InlineImages } from "../prepare/inline-images.ts";
import type { StoredFiles } from "../../upstream/downloads/stored-files.ts";
import { parseJson } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { getFailure } from "../../providers/shared/upstream-failure.ts";
import type { PostProcessing, Endpoint } from "../../providers/contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { OnCancel } from "../../upstream/upstream-call.ts";

const REQUEST_MS = 10_000;
const RESPONSE_BYTES_MAX = 1024 * 1024;

export type FollowUpDeps = {
  readonly client: UpstreamClient;
  readonly images?: Pick<InlineImages, "fetch">;
  readonly files?: StoredFiles;
};

const notFetched = (what: string): StreamFailure =>
  new StreamFailure(getFailure(`${what}, but could not be fetched`, { code: "bad_response_body" }));

/**
 * Operations a provider may run after its first response. All of them reject with the reason when the call is
 * cancelled.
 */
export function createFollowUp(deps: FollowUpDeps, proxy: string | undefined, onCancel: OnCancel): PostProcessing {
  const untilCancelled = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      work.then(resolve, reject);
      onCancel(reject);
    });
  return {
    async request({ url, headers }: Endpoint) {
      let deadline: NodeJS.Timeout | undefined;
      const limits = {
        bytesMax: RESPONSE_BYTES_MAX,
        onCancel: (cancel: (reason: Error) => void) => {
          onCancel(cancel);
          deadline = setTimeout(() => cancel(new Error("no response in time")), REQUEST_MS);
        },
      };
      const phases = { firstByteMs: REQUEST_MS, idleMs: REQUEST_MS };
      const request = { method: "GET" as const, url, headers, body: undefined, ...phases, ...through(proxy) };
      try {
        const { status, body } = await receiveResponse(deps.client, request, limits);
        const text = body.toString("utf8");
        return { status, body: parseJson(text) ?? text };
      } catch (error) {
        // A cancellation carries a RelayError as its reason; any other failure may be retried.
        if (error instanceof RelayError) throw error;
        return undefined;
      } finally {
        clearTimeout(deadline);
      }
    },
    wait: (ms) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        onCancel((reason) => {
          clearTimeout(timer);
          reject(reason);
        });
      }),
    async fetchImage(url) {
      const fetched = deps.images?.fetch(url).catch(() => undefined);
      const image = fetched && (await untilCancelled(fetched));
      if (!image) throw notFetched("the image was generated");
      return image.data;
    },
    async fetchFile(url) {
      const fetched = deps.files?.fetch(url, { client: deps.client, proxy, onCancel }).catch(() => undefined);
      const bytes = fetched && (await untilCancelled(fetched));
      if (!bytes) throw notFetched("the response was generated");
      return bytes;
    },
  };
}
