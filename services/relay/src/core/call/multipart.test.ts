import { describe, expect, it } from "vitest";
import { getFields, type Form, type FormFile, parseForm, writeForm } from "./multipart.ts";

const TYPE = 'multipart/form-data; boundary="xYz"';
const part = (head: string, content: string): string =>
  `--xYz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const rewrite = (form: Form, values: Record<string, string> = {}): Form => {
  const { contentType, body: pieces } = writeForm(form, values);
  return parseForm(Buffer.concat(pieces), contentType);
};
const withHead = (head: string): Buffer => Buffer.from(`--xYz\r\n${head}\r\n\r\nx\r\n--xYz--`);
const MODEL = 'Content-Disposition: form-data; name="model"';
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
    const fields = getFields(parseForm(body, TYPE));
    expect(fields).toMatchObject({ model: "whisper-1", prompt: "", file: { filename: "a.wav" } });
    const { content } = fields["file"] as FormFile;
    expect(content.equals(FILE)).toBe(true);
    expect(content.buffer === body.buffer).toBe(true);
  });

  it("returns all images under one name, and the first value of every other field", () => {
    const file = (name: string, filename: string) => part(`name="${name}"; filename="${filename}"`, filename);
    const sent = [file("image[]", "a.png"), file("image[]", "b.png"), file("image[]", "c.png"), file("mask", "m.png")];
    const texts = [part('name="prompt"', "one"), part('name="prompt"', "two"), file("mask", "n.png"), "--xYz--\r\n"];
    const fields = getFields(parseForm(Buffer.from([...sent, ...texts].join("")), TYPE));
    expect(fields).toMatchObject({ prompt: "one", mask: { filename: "m.png" } });
    expect((fields["image[]"] as FormFile[]).map(({ content }) => content.toString())).toEqual([
      "a.png",
      "b.png",
      "c.png",
    ]);
  });

  it("is written with fields replaced or added, and every byte of its files", () => {
    const fields = getFields(rewrite(parseForm(body, TYPE), { model: "w-large", language: "de" }));
    expect(fields).toMatchObject({ model: "w-large", language: "de", prompt: "" });
    expect((fields["file"] as FormFile).content.equals(FILE)).toBe(true);
    const unchanged = rewrite(parseForm(body, TYPE));
    expect(unchanged.parts).toEqual(parseForm(body, TYPE).parts);
    expect(unchanged.parts[1]?.mediaType).toBe("audio/wav");
  });

  it("is written under a boundary of its own: upstream reads the form that was parsed, not another one in the same bytes", () => {
    const other = '--B\r\nContent-Disposition: form-data; name="model"\r\n\r\nexpensive\r\n--B--\r\n';
    const own = `${part('name="model"', "cheap")}--xYz--\r\n`;
    const type = "multipart/form-data; x-boundary=B; boundary=xYz";
    const { contentType, body: pieces } = writeForm(parseForm(Buffer.from(own + other), type), {});
    expect(contentType).toMatch(/^multipart\/form-data; boundary=[\da-f-]{36}$/);
    expect(Buffer.concat(pieces).toString()).not.toMatch(/expensive|--B|xYz/);
    expect(getFields(rewrite(parseForm(Buffer.from(own + other), type)))).toEqual({ model: "cheap" });
  });

  it("accepts the forms of names that clients write: no quotes, escaped quotes, names outside ASCII", () => {
    const sent = [
      part("name=model", "a"),
      part('name="file"; filename="my \\"best\\" a.wav"', "x"),
      part(`name="image"; filename*=utf-8''%C3%BC.png`, "y"),
      "--xYz--",
    ].join("");
    const fields = getFields(rewrite(parseForm(Buffer.from(sent), TYPE)));
    expect(fields).toMatchObject({
      model: "a",
      file: { filename: "my _best_ a.wav" },
      image: { filename: "ü.png" },
    });
  });

  it.each<[string, Buffer, string]>([
    ["no boundary", body, "multipart/form-data"],
    ["another boundary", body, "multipart/form-data; boundary=abc"],
    ["a cut body", body.subarray(0, body.length - 12), TYPE],
    ["a part without a name", withHead("Content-Type: a/b"), TYPE],
    ["nothing", Buffer.alloc(0), TYPE],
    ["two boundaries", body, "multipart/form-data; boundary=xYz; boundary=abc"],
    ["a boundary in another parameter", body, "multipart/form-data; x-boundary=xYz"],
    ["another kind of body", body, "multipart/form-data-x; boundary=xYz"],
    ["a name in another header", withHead(`Content-Type: text/plain; name="foo"\r\nX: form-data; name="model"`), TYPE],
    ["two dispositions", withHead(`${MODEL}\r\n${MODEL}`), TYPE],
    ["two names", withHead(`${MODEL}; name="n"`), TYPE],
    ["an escaped name", withHead('Content-Disposition: form-data; name="mode\\l"'), TYPE],
    ["an encoded name", withHead('Content-Disposition: form-data; name="mode%6c"'), TYPE],
    ["an extended name", withHead(`${MODEL}; name*=utf-8''n`), TYPE],
    ["something behind the name", withHead(`${MODEL} n`), TYPE],
    ["another disposition", withHead('Content-Disposition: attachment; name="model"'), TYPE],
    ["a folded header", withHead('Content-Disposition: form-data;\r\n name="model"'), TYPE],
    ["a line break in a header", withHead(`X: a\n${MODEL}`), TYPE],
    ["a transfer encoding", withHead(`${MODEL}\r\nContent-Transfer-Encoding: quoted-printable`), TYPE],
    ["a text in another charset", withHead(`${MODEL}\r\nContent-Type: text/plain; charset=utf-16`), TYPE],
    ["a default charset", withHead('Content-Disposition: form-data; name="_charset_"'), TYPE],
    ["a text that is not UTF-8", Buffer.from(`--xYz\r\n${MODEL}\r\n\r\n\xff\r\n--xYz--`, "latin1"), TYPE],
  ])("is refused with %s", (_, bytes, type) => {
    expect(() => parseForm(bytes, type)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
