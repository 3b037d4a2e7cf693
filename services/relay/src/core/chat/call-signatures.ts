import { decodeObjects, encodeObjects } from "./encoded-text.ts";
import { asText } from "./json.ts";

type Signed = { readonly id: string; readonly signature?: string | undefined };

/**
 * The provider's signature of a tool call (Gemini's, which it requires back with the call) as an opaque text, for formats
 * whose calls have no field for it: their clients send it back as encrypted reasoning. Undefined for calls without one.
 */
export const encodeCallSignature = ({ id, signature }: Signed): string | undefined =>
  signature === undefined ? undefined : encodeObjects([{ call: id, signature }]);

/** Whether an opaque text holds nothing but signatures of calls. */
export function isCallSignature(data: unknown): boolean {
  const objects = decodeObjects(data);
  return objects.length > 0 && objects.every(({ call }) => call !== undefined);
}

/** The signatures in the texts that a caller sends back, by the ids of their calls; other texts have none. */
export function decodeCallSignatures(texts: readonly unknown[]): ReadonlyMap<string, string> {
  const signatures = new Map<string, string>();
  for (const { call, signature } of texts.flatMap(decodeObjects)) {
    const id = asText(call);
    if (id !== undefined && typeof signature === "string") signatures.set(id, signature);
  }
  return signatures;
}
