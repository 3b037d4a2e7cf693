/** Lets everything that waits have its turn of the event loop: what a long text needs is done in pieces. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
