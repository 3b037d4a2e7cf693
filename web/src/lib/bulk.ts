/** The result of a run over many items: those for which it succeeded. */
export type BulkResult<Item> = { readonly succeeded: readonly Item[]; readonly firstError: unknown };

/** Runs `act` on each item, one after the other; a failure does not stop the rest. */
export async function runForEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<BulkResult<Item>> {
  const succeeded: Item[] = [];
  let firstError: unknown;
  for (const item of items) {
    try {
      // One at a time: hundreds of concurrent calls would hit the site's own rate limit.
      // oxlint-disable-next-line no-await-in-loop
      await act(item);
      succeeded.push(item);
    } catch (error) {
      firstError ??= error;
    }
  }
  return { succeeded, firstError };
}
