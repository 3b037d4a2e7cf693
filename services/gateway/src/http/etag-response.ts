import { createHash } from "node:crypto";
import type { Request, Response } from "express";

/** Sends a text that browsers cache and revalidate: 304 while their copy is current. */
export function sendWithEtag(
  request: Request,
  response: Response,
  { text, type }: { text: string; type: string },
): void {
  const tag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  response.set({ "cache-control": "no-cache", etag: tag, "content-type": type });
  if (request.fresh) response.status(304).end();
  else response.send(text);
}
