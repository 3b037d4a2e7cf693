import { describe, expect, it } from "vitest";
import { fieldsOf, type FormFile, parseForm, patchForm } from "./multipart.ts";

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

describe("multipart form", () => {
  it("is parsed without copying its files", () => {
    const fields = fieldsOf(parseForm(body, TYPE));
    expect(fields).toMatchObject({ model: "whisper-1", prompt: "", file: { filename: "a.wav" } });
    const { content } = fields["file"] as FormFile;
    expect(content.equals(FILE)).toBe(true);
    expect(content.buffer === body.buffer).toBe(true);
  });

  it("returns all images under one name, and the first value of every other field", () => {
    const file = (name: string, filename: string) => part(`name="${name}"; filename="${filename}"`, filename);
    const sent = [file("image[]", "a.png"), file("image[]", "b.png"), file("image[]", "c.png"), file("mask", "m.png")];
    const texts = [part('name="prompt"', "one"), part('name="prompt"', "two"), file("mask", "n.png"), "--xYz--\r\n"];
    const fields = fieldsOf(parseForm(Buffer.from([...sent, ...texts].join("")), TYPE));
    expect(fields).toMatchObject({ prompt: "one", mask: { filename: "m.png" } });
    expect((fields["image[]"] as FormFile[]).map(({ content }) => content.toString())).toEqual([
      "a.png",
      "b.png",
      "c.png",
    ]);
  });

  it("keeps all other bytes when a field is replaced or added", () => {
    const form = parseForm(body, TYPE);
    const patched = Buffer.concat(patchForm(form, { model: "w-large", language: "de" }));
    const fields = fieldsOf(parseForm(patched, TYPE));
    expect(fields).toMatchObject({ model: "w-large", language: "de", prompt: "" });
    expect((fields["file"] as FormFile).content.equals(FILE)).toBe(true);
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
