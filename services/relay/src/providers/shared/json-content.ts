import type { ProcessedResponse } from "../contract/provider.ts";

/** Every call's body is JSON. */
export const JSON_CONTENT = { "content-type": "application/json" } as const;

/** A re-encoded response, as JSON. */
export const jsonResponse = (value: object): ProcessedResponse => ({
  body: Buffer.from(JSON.stringify(value)),
  contentType: "application/json",
});
