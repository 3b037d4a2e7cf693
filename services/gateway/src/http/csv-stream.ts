import { once } from "node:events";
import type { Response } from "express";
import { csvLines, UTF8_MARK } from "./csv.ts";

type Rows = readonly (readonly (string | number)[])[];

/**
 * Sends rows as a file while they are read, a batch at a time and no faster than the client takes them. The first batch is read
 * before anything is sent, so that a failure there is an ordinary answer; a later one cuts the file, so that it never looks whole.
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
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    while (batch.done !== true && !response.destroyed) {
      if (batch.value.length > 0 && !response.write(csvLines(batch.value)))
        await once(response, "drain", { signal: gone.signal });
      batch = await iterator.next();
    }
    response.end();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    await iterator.return?.();
  }
}
