import type { FinishedAnswer } from "../contract/provider.ts";

/** An answer written anew, as JSON. */
export const jsonAnswer = (value: object): FinishedAnswer => ({
  body: Buffer.from(JSON.stringify(value)),
  contentType: "application/json",
});
