import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

const COST_HEADER = "x-turnpike-cost";
const COSTS = /"cost":\s*([\d.e+-]+)/g;

/** The costs in a text, in its order: one for each usage that a body or stream reports. */
const readCosts = (text: string): number[] => Array.from(text.matchAll(COSTS), ([, cost]) => Number(cost));

/** What a caller reads about the cost of one call: in the header or trailer, and in the usage of the body. */
export type SeenCost = { readonly header: number; readonly body: number | undefined };

/** Responses over a WebSocket, uncompressed, as the text of all their frames. */
function joinSocket(near: Duplex, far: Socket, { method, url, rawHeaders }: IncomingMessage, head: Buffer) {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !/^sec-websocket-extensions$/i.test(name) ? [`${name}: ${rawHeaders[index + 1] ?? ""}`] : [],
  );
  far.write(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  far.write(head);
  const chunks: Buffer[] = [];
  far.on("data", (chunk: Buffer) => chunks.push(chunk));
  near.pipe(far).pipe(near);
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const)
    socket.on("error", () => other.destroy()).once("close", () => other.destroy());
  return { readText: () => Buffer.concat(chunks).toString("latin1") };
}

/**
 * An address of a running system that sees what its client sees: the cost of each call, and the WebSockets that are opened
 * for responses.
 */
export async function startWatchedAddress(address: string) {
  const target = new URL(address);
  const costs: SeenCost[] = [];
  const sockets: ReturnType<typeof joinSocket>[] = [];

  function pass(response: IncomingMessage, reply: ServerResponse): void {
    reply.writeHead(response.statusCode ?? 502, response.rawHeaders);
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      reply.write(chunk);
    });
    response.once("end", () => {
      const header = response.headers[COST_HEADER] ?? response.trailers[COST_HEADER];
      const body = readCosts(Buffer.concat(chunks).toString()).at(-1);
      if (header !== undefined) costs.push({ header: Number(header), body });
      reply.addTrailers(response.trailers as Record<string, string>);
      reply.end();
    });
    response.once("error", () => reply.destroy());
  }

  const server = createServer((request, reply) => {
    const { method, url, headers } = request;
    const { "accept-encoding": _, ...plain } = headers;
    // Read to its end although the client may have left before: the cost comes last.
    const call = sendRequest({ host: target.hostname, port: target.port, method, path: url, headers: plain });
    call.once("response", (response) => pass(response, reply));
    call.once("error", () => reply.destroy());
    request.pipe(call);
  });
  server.on("upgrade", (request: IncomingMessage, near: Duplex, head: Buffer) => {
    sockets.push(joinSocket(near, connect(Number(target.port), target.hostname), request, head));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countSockets: () => sockets.length,
    /** The cost of each call so far, in dollars. */
    listCosts: (): SeenCost[] => [
      ...costs,
      ...sockets.flatMap(({ readText }) => readCosts(readText())).map((cost) => ({ header: cost, body: cost })),
    ],
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
