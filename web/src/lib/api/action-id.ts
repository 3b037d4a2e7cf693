const BYTES = 16;

/**
 * An id for a change that must be made once: a repeat after a response that was lost has the same one. `crypto.randomUUID` exists only on
 * pages of a secure origin.
 */
export const newActionId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");
