import { createServer, get, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it } from "vitest";
import { findChunkSocket, frameChunk } from "./chunk-framing.ts";

/** Serves one request with `respond` and returns what a client reads. */
async function serve(respond: (response: ServerResponse) => void, request?: string): Promise<string> {
  const server = createServer((_, response) => respond(response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      let text = "";
      const read = (chunk: Buffer): void => void (text += chunk.toString());
      if (request === undefined) {
        get({ port, host: "127.0.0.1", agent: false }, (response) => {
          response
            .on("data", read)
            .on("end", () => resolve(text))
            .on("error", reject);
        }).on("error", reject);
      } else {
        const socket = connect(port, "127.0.0.1", () => socket.write(request));
        socket
          .on("data", read)
          .on("close", () => resolve(text))
          .on("error", reject);
      }
    });
  } finally {
    server.close();
  }
}

describe("chunk framing", () => {
  it.each([
    [["a"], "1\r\na\r\n"],
    [["0123456789abcdef"], "10\r\n0123456789abcdef\r\n"],
    [["data: é\n", "\n"], "a\r\ndata: é\n\n\r\n"],
  ])("frames %j with its size in hexadecimal digits", (texts, framed) => {
    const parts = texts.map((text) => Buffer.from(text));
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    expect(frameChunk(parts, bytes).toString()).toBe(framed);
  });

  it.each([1, 15, 16, 255, 256, 4_095, 65_536, 1_048_577])("is read by a client at %d bytes", async (bytes) => {
    const text = "x".repeat(bytes);
    const read = await serve((response) => {
      response.write("begin ");
      findChunkSocket(response)?.write(frameChunk([Buffer.from(text)], bytes));
      response.end(" end");
    });
    expect(read).toBe(`begin ${text} end`);
  });

  it("leaves chunks to Node before the headers, for HTTP/1.0 and where the response is wrapped", async () => {
    const found: boolean[] = [];
    const note = (response: ServerResponse): void => void found.push(findChunkSocket(response) !== undefined);
    await serve((response) => {
      note(response);
      response.write("a");
      note(response);
      const { write } = response;
      response.write = ((...args: Parameters<typeof write>) => write.apply(response, args)) as typeof write;
      note(response);
      response.end();
    });
    await serve((response) => {
      response.write("a");
      note(response);
      response.end();
    }, "GET / HTTP/1.0\r\n\r\n");
    expect(found).toEqual([false, true, false, false]);
  });
});
