import { describe, expect, it } from "vitest";
import { fieldsOf, parseForm, patchForm } from "./multipart.ts";

const TYPE = 'multipart/form-data; boundary="xYz"';
const part = (head: string, content: string): string =>
  `--xYz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const FILE = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10]);

const body = Buffer.concat([
  Buffer.from(part('name="model"', "whisper-1")),
  Buffer.from(
    '--xYz\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n',
  ),
  FILE,
  Buffer.from('\r\n--xYz\r\nContent-Disposition: form-data; name="prompt"\r\n\r\n\r\n--xYz--\r\n'),
]);

describe("a multipart form", () => {
  it("is read without copying its files", () => {
    const fields = fieldsOf(parseForm(body, TYPE));
    expect(fields).toMatchObject({ model: "whisper-1", prompt: "", file: { filename: "a.wav" } });
    const { file } = fields;
    expect(typeof file === "object" && file.content.equals(FILE)).toBe(true);
    expect(typeof file === "object" && file.content.buffer === body.buffer).toBe(true);
  });

  it("keeps every other byte when a field is replaced or added", () => {
    const form = parseForm(body, TYPE);
    const patched = Buffer.concat(patchForm(form, { model: "w-large", language: "de" }));
    const fields = fieldsOf(parseForm(patched, TYPE));
    expect(fields).toMatchObject({ model: "w-large", language: "de", prompt: "" });
    expect(typeof fields["file"] === "object" && fields["file"].content.equals(FILE)).toBe(true);
    expect(Buffer.concat(patchForm(form, {})).equals(body)).toBe(true);
  });

  it.each<[string, Buffer, string]>([
    ["no boundary", body, "multipart/form-data"],
    ["another boundary", body, "multipart/form-data; boundary=abc"],
    ["a cut body", body.subarray(0, body.length - 12), TYPE],
    ["a part without a name", Buffer.from("--xYz\r\nContent-Type: a/b\r\n\r\nx\r\n--xYz--"), TYPE],
    ["nothing", Buffer.alloc(0), TYPE],
  ])("is refused with %s", (_, bytes, type) => {
    expect(() => parseForm(bytes, type)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
