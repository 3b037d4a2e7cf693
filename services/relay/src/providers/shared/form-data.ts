import { randomUUID } from "node:crypto";
import type { Json } from "../../core/chat/chat.ts";

/** A file of a form. */
export type FormUpload = {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly content: Buffer;
};

const getField = (boundary: string, name: string, value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name.replaceAll(/["\r\n]/g, "_")}"\r\n\r\n${text}\r\n`;
};

const getHead = (boundary: string, { name, filename, mediaType }: FormUpload): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: ${mediaType}\r\n\r\n`;

/** A form of plain fields followed by files. Values that are not strings are written as JSON. */
export function toFormData(fields: Json, files: readonly FormUpload[] = [], boundary: string = randomUUID()) {
  const texts = Object.entries(fields).map(([name, value]) => getField(boundary, name, value));
  const parts = files.flatMap((file) => [getHead(boundary, file), file.content, "\r\n"]);
  const pieces = [...texts, ...parts, `--${boundary}--\r\n`];
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(pieces.map((piece) => Buffer.from(piece))),
  };
}
