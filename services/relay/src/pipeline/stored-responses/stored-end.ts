import type { ResponsePlace } from "./response-keys.ts";
import type { StoredContent, StoredResponses } from "./stored-responses.ts";

/**
 * Stores how a response ended; `run` is that of a background response, which is stored already. Never rejects. Such a response is
 * reported as failed if its end is too large: it would seem to run until it expires.
 */
export async function storeEnd(
  responses: StoredResponses,
  place: ResponsePlace,
  content: StoredContent,
  run: number | undefined,
): Promise<void> {
  const isUpdate = run !== undefined;
  const put = (stored: StoredContent) => responses.put(place, stored, { isRunning: false, isUpdate, run });
  const isStored = await put(content)
    .catch(() => put(content))
    .catch(() => false);
  if (isStored || !isUpdate) return;
  const error = { code: "server_error", message: "the response is too large to be stored" };
  const response = { ...content.response, output: [], status: "failed", error };
  await put({ response, input: [] }).catch(() => false);
}
