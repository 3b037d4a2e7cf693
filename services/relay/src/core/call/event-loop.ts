/** Yields to the event loop, so that long texts are processed in chunks. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
