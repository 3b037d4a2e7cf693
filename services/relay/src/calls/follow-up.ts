import type { InlineImages } from "../images/inline-images.ts";
import type { KeptFiles } from "../images/kept-files.ts";
import { parseJson } from "../chat/json.ts";
import { RelayError } from "../errors/relay-error.ts";
import { failureOf } from "../providers/failure.ts";
import { type FollowUp, type Place, StreamFailure } from "../providers/provider.ts";
import { type OnCancel, receiveWhole, through, type UpstreamClient } from "../upstream/upstream-client.ts";

const ASK_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

export type FollowUpDeps = {
  readonly client: UpstreamClient;
  readonly images?: Pick<InlineImages, "fetch">;
  readonly files?: KeptFiles;
};

const notFetched = (what: string): StreamFailure =>
  new StreamFailure(failureOf(`${what}, but could not be fetched`, { code: "bad_response_body" }));

/** What a provider may still do once its first answer is there. All of it rejects with the reason when the call is cancelled. */
export function createFollowUp(deps: FollowUpDeps, proxy: string | undefined, onCancel: OnCancel): FollowUp {
  const untilCancelled = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      work.then(resolve, reject);
      onCancel(reject);
    });
  return {
    async ask({ url, headers }: Place) {
      let deadline: NodeJS.Timeout | undefined;
      const limits = {
        bytesMax: ANSWER_BYTES_MAX,
        onCancel: (cancel: (reason: Error) => void) => {
          onCancel(cancel);
          deadline = setTimeout(() => cancel(new Error("no answer in time")), ASK_MS);
        },
      };
      const phases = { firstByteMs: ASK_MS, idleMs: ASK_MS };
      const request = { method: "GET" as const, url, headers, body: undefined, ...phases, ...through(proxy) };
      try {
        const { status, body } = await receiveWhole(deps.client, request, limits);
        const text = body.toString("utf8");
        return { status, body: parseJson(text) ?? text };
      } catch (error) {
        // Cancelling has a reason of ours; whatever else went wrong may go better the next time.
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
      if (!image) throw notFetched("the image was drawn");
      return image.data;
    },
    async fetchFile(url) {
      const fetched = deps.files?.fetch(url, { client: deps.client, proxy, onCancel }).catch(() => undefined);
      const bytes = fetched && (await untilCancelled(fetched));
      if (!bytes) throw notFetched("the answer was made");
      return bytes;
    },
  };
}
