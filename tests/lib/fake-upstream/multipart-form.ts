import type { JsonObject } from "./wire-format.ts";

/** The fields of a multipart body; files are returned as their bytes in latin1. */
export function readForm(bytes: Buffer, contentType: string): JsonObject | undefined {
  const boundary = /boundary=([^;]+)/.exec(contentType)?.[1]?.replaceAll('"', "");
  if (!contentType.startsWith("multipart/form-data") || boundary === undefined) return undefined;
  const parts = bytes.toString("latin1").split(`--${boundary}`);
  if (parts.at(-1)?.trim() !== "--") throw new Error("the form is incomplete");
  const fields = parts.slice(1, -1).map((part): [string, string] => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    return [/name="([^"]*)"/.exec(head)?.[1] ?? "", rest.join("\r\n\r\n").slice(0, -2)];
  });
  return Object.fromEntries(fields);
}
