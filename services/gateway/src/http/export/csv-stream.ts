import { once } from "node:events";
import type { Response } from "express";
import { csvLines, UTF8_MARK } from "./csv.ts";

type Rows = readonly (readonly (string | number)[])[];

/**
 * Streams rows as a file, a batch at a time with backpressure. The first batch is read before anything is sent, so that
 * a failure there is an ordinary error response; a later failure truncates the file, so that it never looks complete.
 */
export async function streamCsv(response: Response, name: string, batches: AsyncIterable<Rows>): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  let batch = await iterator.next();
  response.status(200).set({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}"`,
    "x-accel-buffering": "no",
  });
  response.write(UTF8_MARK);
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  try {
    while (batch.done !== true && !response.destroyed) {
      if (batch.value.length > 0 && !response.write(csvLines(batch.value)))
        await once(response, "drain", { signal: disconnected.signal });
      batch = await iterator.next();
    }
    response.end();
  } catch (error) {
    if (!disconnected.signal.aborted) throw error;
  } finally {
    await iterator.return?.();
  }
}
