import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeAsArray } from "./json-array.ts";
import { hasEventsQuery } from "./request-url.ts";

const EVENTS = { "content-type": "text/event-stream; charset=utf-8" };
let result: (response: ServerResponse) => void = () => undefined;
const server = createServer((_, response) => {
  writeAsArray(response);
  result(response);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function request(write: (response: ServerResponse) => void): Promise<Response> {
  result = write;
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe("stream as JSON array", () => {
  it("has one element per event at any chunk boundary, with content type JSON", async () => {
    const response = await request((out) => {
      out.writeHead(200, EVENTS);
      out.write(": PING\n\n");
      out.write(Buffer.from('data: {"a":1}\r\n\r\ndata: {"b"'));
      out.write(':"é"}\n\n');
      out.end('data: {"error":{"code":502}}\n\n');
    });
    expect(response.headers.get("content-type")).toBe("application/json; charset=UTF-8");
    expect(await response.json()).toEqual([{ a: 1 }, { b: "é" }, { error: { code: 502 } }]);
  });

  it("sends each element when it arrives", async () => {
    let goOn: () => void = () => undefined;
    const response = await request((out) => {
      out.writeHead(200, EVENTS);
      out.write('data: {"a":1}\n\n');
      goOn = () => out.end('data: {"b":2}\n\n');
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('[{"a":1}');
    goOn();
    expect((await reader?.read())?.value).toBe(',\r\n{"b":2}]');
  });

  it("is an empty array without events", async () => {
    const response = await request((out) => {
      out.writeHead(200, EVENTS);
      out.end();
    });
    expect(await response.text()).toBe("[]");
  });

  it("leaves other responses unchanged", async () => {
    const response = await request((out) => {
      out.writeHead(404, { "content-type": "application/json" });
      out.end('{"error":{}}');
    });
    expect([response.status, await response.text()]).toEqual([404, '{"error":{}}']);
  });
});

it.each<[string, boolean]>([
  ["/v1beta/models/m:streamGenerateContent?key=k&alt=sse", true],
  ["/v1beta/models/m:streamGenerateContent?alt=json", false],
  ["/v1beta/models/m:streamGenerateContent", false],
])("recognizes a request for events, %s: %s", (url, requests) => expect(hasEventsQuery(url)).toBe(requests));
