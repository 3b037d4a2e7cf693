/** How a run over many things went. */
export type BulkResult = { readonly done: number; readonly firstError: unknown };

/** Runs `act` on each item, one after the other; a failure does not stop the rest. */
export async function runForEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<BulkResult> {
  let done = 0;
  let firstError: unknown;
  for (const item of items) {
    try {
      // One at a time on purpose: hundreds of calls at once would meet the site's own rate limit.
      // oxlint-disable-next-line no-await-in-loop
      await act(item);
      done += 1;
    } catch (error) {
      firstError ??= error;
    }
  }
  return { done, firstError };
}
