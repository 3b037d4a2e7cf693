import type { IncomingMessage, ServerResponse } from "node:http";
import { createHttpMetrics } from "@turnpike/shared/telemetry/http-metrics";
import { isModelApi } from "./pass-through/paths.ts";

const http = createHttpMetrics("turnpike_gateway");

/** Areas of the console's API: the first word after /api when it is one of these. */
const AREAS = new Set(
  "user token channel log option redemption status setup message audit ledger order group models pricing notice data task mj ratio_sync home_page_content about".split(
    " ",
  ),
);

/** The area of a request: one of a fixed set of words. */
export function getArea(url: string, method?: string): string {
  if (isModelApi(url, method)) return "model-api";
  if (!url.startsWith("/api/")) return "console";
  const word = /^\/api\/([a-z_]+)/.exec(url)?.[1] ?? "";
  return AREAS.has(word) ? `api-${word}` : "api-other";
}

/** Counts a request and its response. */
export function countRequest(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = http.begin();
  response.once("close", () =>
    http.end(getArea(request.url ?? "/", request.method), response.headersSent ? response.statusCode : 0, startedAt),
  );
}
