import { describe, expect, it } from "vitest";
import { ProtocolError } from "./protocol-error.ts";
import { ResponseParser } from "./response-parser.ts";
import { writeHead } from "./request-head.ts";

/** Parses bytes that arrive `size` at a time in one reused buffer, as from a socket. */
function parse(text: string, size = text.length, closes = false) {
  const seen = { status: 0, headers: {} as object, body: "", pieces: 0 };
  const parser = new ResponseParser({
    onHead: (head) => void Object.assign(seen, { status: head.status, headers: { ...head.headers } }),
    onBody: (bytes) => {
      seen.body += bytes.toString("latin1");
      seen.pieces++;
    },
  });
  const reused = Buffer.alloc(text.length + 1);
  for (let at = 0; at < text.length; at += size) {
    const written = reused.write(text.slice(at, at + size), "latin1");
    parser.push(reused.subarray(0, written));
    reused.fill("#");
  }
  if (closes) parser.finish();
  return { ...seen, isComplete: parser.isComplete(), keepsAlive: parser.keepsAlive() };
}

const head = (lines: readonly string[], status = "200 OK", version = "1.1"): string =>
  [`HTTP/${version} ${status}`, ...lines, "", ""].join("\r\n");

const CHUNKED = `${head(["Transfer-Encoding: chunked", "X-A: 1", "x-a:2"])}5\r\nhello\r\n00A;ext="a b"\r\n, chunked \r\n1\r\n!\r\n0\r\nTrailer: x\r\n\r\n`;
const SIZED = `${head(["content-length: 11"], "404 Not Found")}hello world`;
const EARLY = `${head(["link: </a>"], "103 Early Hints")}${SIZED}`;

describe("response parser", () => {
  it.each([1, 2, 3, 7, 16, 10_000])("reads the same response when its bytes arrive %d at a time", (size) => {
    expect(parse(CHUNKED, size)).toMatchObject({
      status: 200,
      headers: { "transfer-encoding": "chunked", "x-a": ["1", "2"] },
      body: "hello, chunked !",
      isComplete: true,
      keepsAlive: true,
    });
    for (const text of [SIZED, EARLY])
      expect(parse(text, size)).toMatchObject({ status: 404, body: "hello world", isComplete: true });
  });

  it("passes on the first chunks one by one, and later ones that arrive together in one piece", () => {
    const chunks = (count: number): string =>
      `${head(["transfer-encoding: chunked"])}${"1\r\nx\r\n".repeat(count)}0\r\n\r\n`;
    expect([1, 4, 5, 9].map((count) => parse(chunks(count)).pieces)).toEqual([1, 4, 5, 5]);
    expect(parse(chunks(9)).body).toBe("x".repeat(9));
  });

  it("reads to the end of the connection where neither a coding nor a length is given", () => {
    const open = `${head([])}some bytes`;
    expect(parse(open)).toMatchObject({ body: "some bytes", isComplete: false });
    expect(parse(open, 3, true)).toMatchObject({ body: "some bytes", isComplete: true, keepsAlive: false });
  });

  it.each([
    [["content-length: 0"], "200 OK", "1.1", true],
    [["content-length: 0", "Connection: Close"], "200 OK", "1.1", false],
    [["content-length: 0"], "200 OK", "1.0", false],
    [["content-length: 0", "connection: keep-alive"], "200 OK", "1.0", true],
    [[], "204 No Content", "1.1", true],
    [["content-length: 5"], "304 Not Modified", "1.1", true],
    [["content-length: 0, 0"], "200", "1.1", true],
  ])("decides with %j, %s, HTTP/%s whether the connection can be reused", (lines, status, version, keepsAlive) => {
    expect(parse(head(lines, status, version))).toMatchObject({ isComplete: true, keepsAlive, body: "" });
  });

  it.each([
    ["a coding and a length", `${head(["content-length: 3", "transfer-encoding: chunked"])}0\r\n\r\n`],
    ["two lengths", `${head(["content-length: 3", "content-length: 4"])}abc`],
    ["a negative length", `${head(["content-length: -3"])}abc`],
    ["a length with a sign", `${head(["content-length: +3"])}abc`],
    ["a length in hexadecimal", `${head(["content-length: 0x3"])}abc`],
    ["an unknown coding", `${head(["transfer-encoding: gzip, chunked"])}0\r\n\r\n`],
    ["a coding given twice", `${head(["transfer-encoding: chunked", "transfer-encoding: chunked"])}0\r\n\r\n`],
    ["a folded header", head(["x-a: 1", " 2"])],
    ["a space before the colon", head(["content-length : 0"])],
    ["a header without a name", head([": 1"])],
    ["a header with a zero byte", head(["x: a\0b"])],
    ["a header with a bare carriage return", head(["x: a\rb"])],
    ["a line that is no header", head(["hello"])],
    ["another protocol", head([], "200 OK", "2.0")],
    ["no status", "HTTP/1.1 OK\r\n\r\n"],
    ["a page without a head", "<html>\r\n\r\n"],
    ["a switch of protocols", head(["upgrade: h2c"], "101 Switching Protocols")],
    ["a chunk without a size", `${head(["transfer-encoding: chunked"])}\r\nabc`],
    ["a chunk with a negative size", `${head(["transfer-encoding: chunked"])}-1\r\n`],
    ["a chunk with a huge size", `${head(["transfer-encoding: chunked"])}fffffffffffff\r\n`],
    ["a chunk longer than its size", `${head(["transfer-encoding: chunked"])}2\r\nabc\r\n`],
    ["a chunk's size ended by a line feed", `${head(["transfer-encoding: chunked"])}2\nab\r\n`],
    ["a line feed in a chunk's extension", `${head(["transfer-encoding: chunked"])}2;a\nab\r\n`],
    ["bytes after the last chunk", `${head(["transfer-encoding: chunked"])}0\r\n\r\nHTTP/1.1 200 OK`],
    ["bytes after its length", `${SIZED} and more`],
    ["bytes after an empty body", `${head([], "204 No Content")}x`],
    ["an endless head", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}`],
    ["endless trailers", `${head(["transfer-encoding: chunked"])}0\r\n${"x: 1\r\n".repeat(5_000)}`],
    ["an endless extension", `${head(["transfer-encoding: chunked"])}1;${"x".repeat(20_000)}`],
  ])("refuses %s", (_, text) => {
    for (const size of [1, text.length]) expect(() => parse(text, size)).toThrow(ProtocolError);
  });

  it.each([
    ["in its head", "HTTP/1.1 200 OK\r\n"],
    ["before its length", SIZED.slice(0, -1)],
    ["before the last chunk", CHUNKED.slice(0, -20)],
    ["before the trailers end", CHUNKED.slice(0, -1)],
    ["before anything", ""],
  ])("is incomplete if the connection ends %s", (_, text) => {
    expect(() => parse(text, Math.max(1, text.length), true)).toThrow(ProtocolError);
  });

  it("does not take a header for a property of objects", () => {
    expect(parse(`${head(["__proto__: x", "content-length: 0"])}`).isComplete).toBe(true);
    expect(({} as { x?: string }).x).toBeUndefined();
  });
});

describe("request head", () => {
  const request = { method: "POST", path: "/v1/a?b=c", headers: {}, body: "é" };

  it("names the host, the length in bytes and the headers", () => {
    expect(writeHead("api.example:8080", { ...request, headers: { "X-Key": "a\xe9" } })).toBe(
      "POST /v1/a?b=c HTTP/1.1\r\nhost: api.example:8080\r\nconnection: keep-alive\r\nX-Key: a\xe9\r\ncontent-length: 2\r\n\r\n",
    );
    const chunks = [Buffer.from("ab"), Buffer.from("c")];
    expect(writeHead("a", { ...request, headers: { Host: "b" }, body: chunks })).toBe(
      "POST /v1/a?b=c HTTP/1.1\r\nconnection: keep-alive\r\nHost: b\r\ncontent-length: 3\r\n\r\n",
    );
    expect(writeHead("a", { ...request, method: "GET", body: null })).not.toContain("content-length");
  });

  it("decides itself on headers of the connection", () => {
    const headers = {
      "Transfer-Encoding": "chunked",
      "Content-Length": "99",
      Connection: "close",
      Expect: "100-continue",
    };
    const text = writeHead("a", { ...request, headers });
    expect(text).toBe("POST /v1/a?b=c HTTP/1.1\r\nhost: a\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n");
  });

  it.each([
    [{ "x-a": "1\r\nx-b: 2" }, "/"],
    [{ "x-a": "1\n" }, "/"],
    [{ "x-a": "\0" }, "/"],
    [{ "x-a": "中" }, "/"],
    [{ "x a": "1" }, "/"],
    [{ "": "1" }, "/"],
    [{}, "/a b"],
    [{}, "/a\r\nx: 1"],
    [{}, "a"],
  ])("refuses headers %j and the path %j, which could begin another request", (headers, path) => {
    expect(() => writeHead("a", { ...request, headers: headers as Record<string, string>, path })).toThrow(/invalid/);
  });
});
