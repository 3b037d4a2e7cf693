import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { copyQueryToHeaders } from "./request-url.ts";

const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln";
function headersOf(url: string): IncomingMessage["headers"] {
  const request = { url, headers: { "x-goog-api-key": "sent" } };
  copyQueryToHeaders(request as unknown as IncomingMessage);
  return request.headers;
}

describe("credentials in the query", () => {
  it("are Google's keys, which take precedence over the header", () => {
    expect(headersOf("/v1beta/models/m:generateContent?key=sk-a")).toEqual({ "x-goog-api-key": "sk-a" });
    expect(headersOf("/v1/chat/completions?key=sk-a")).toEqual({ "x-goog-api-key": "sent" });
  });

  it("are never tokens of issuers: proxies log addresses", () => {
    expect(() => headersOf(`/v1beta/models/m:generateContent?key=${JWT}`)).toThrow("in a header, not in the query");
    expect(() => headersOf(`/v1/models?key=${JWT}`)).toThrow(
      expect.objectContaining({ code: "invalid_api_key" }) as Error,
    );
  });
});
