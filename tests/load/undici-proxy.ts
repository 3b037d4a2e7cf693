/**
 * A stricter baseline: node:http for incoming and undici's bare dispatcher for outgoing requests, as in the relay; no
 * parsing, no checks. Runs as its own process: `node undici-proxy.ts <port> <upstream origin>`.
 */
import { createServer } from "node:http";
import { Agent } from "undici";

const [port, origin = ""] = process.argv.slice(2);
const agent = new Agent({ connections: 1_024, pipelining: 1 });

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    agent.dispatch(
      {
        origin,
        path: request.url ?? "/",
        method: "POST",
        headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
        body,
      },
      {
        onRequestStart: () => undefined,
        onResponseStart(_, status, headers) {
          const length = headers["content-length"];
          response.writeHead(status, {
            "content-type": String(headers["content-type"]),
            ...(length === undefined ? {} : { "content-length": String(length) }),
          });
        },
        onResponseData: (_, chunk) => void response.write(chunk),
        onResponseEnd: () => void response.end(),
        onResponseError: () => void response.destroy(),
      },
    );
  });
}).listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
