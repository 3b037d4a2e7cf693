/**
 * Baseline: the simplest proxy in plain Node, node:http on both sides and a pipe each way; no parsing, no checks. Runs
 * as its own process: `node bare-proxy.ts <port> <upstream origin>`.
 */
import { Agent, createServer, request as send } from "node:http";

const [port, origin = ""] = process.argv.slice(2);
const { hostname, port: originPort } = new URL(origin);
const agent = new Agent({ keepAlive: true, maxSockets: 1_024 });

createServer((request, response) => {
  const { method, url: path, headers } = request;
  const upstream = send({ hostname, port: originPort, method, path, headers, agent }, (result) => {
    response.writeHead(result.statusCode ?? 502, result.headers);
    result.pipe(response);
  });
  upstream.once("error", () => response.destroy());
  request.pipe(upstream);
}).listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
