import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestCertificate } from "../../lib/network/test-certificate.ts";

export type Call = { readonly path: string; readonly headers: Record<string, unknown>; readonly body: string };

/** A user's webhook over https: stores what it receives and responds with the given statuses, then with 200. */
export async function startReceiver(certificate: TestCertificate) {
  const calls: Call[] = [];
  const statuses: number[] = [];
  const server: Server = createServer({ ...certificate }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      calls.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (request.url === "/silent") return;
      const status = statuses.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end("thanks");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    statuses,
    url: `https://127.0.0.1:${port}`,
    stop: (): Promise<void> => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
