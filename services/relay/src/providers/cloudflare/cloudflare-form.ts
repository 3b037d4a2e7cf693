import { randomUUID } from "node:crypto";
import type { Json } from "../../chat/chat.ts";

const fieldOf = (boundary: string, name: string, value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name.replaceAll(/["\r\n]/g, "_")}"\r\n\r\n${text}\r\n`;
};

/** A form of plain fields. What is no text is written as JSON. */
export function formOfFields(fields: Json, boundary: string = randomUUID()) {
  const parts = Object.entries(fields).map(([name, value]) => fieldOf(boundary, name, value));
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join("")}--${boundary}--\r\n`,
  };
}
