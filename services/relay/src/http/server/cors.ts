import type { IncomingMessage, ServerResponse } from "node:http";

/** Responds to a CORS preflight. "*" would exclude Authorization, so the requested headers are listed. */
export function sendPreflight(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  response.writeHead(204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
    "access-control-max-age": "86400",
    "x-request-id": requestId,
  });
  response.end();
}

/** Lets pages of other origins read the response and its headers. */
export function allowAllOrigins(response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", "*");
}
