import type { ProcessedResponse } from "../contract/provider.ts";

/** A re-encoded response, as JSON. */
export const jsonAnswer = (value: object): ProcessedResponse => ({
  body: Buffer.from(JSON.stringify(value)),
  contentType: "application/json",
});
