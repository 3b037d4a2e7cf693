import type { Entry } from "./description.ts";

/** A command that sends a call; the key is left to the reader. */
export function toCurl({ method, path, operation }: Entry, origin: string): string {
  const lines = [
    `curl -X ${method} '${origin}${path}'`,
    `-H 'Authorization: Bearer $TURNPIKE_KEY'`.replaceAll("'", '"'),
  ];
  if (operation.requestBody) lines.push("-H 'Content-Type: application/json'", "-d '{}'");
  return lines.join(" \\\n  ");
}
