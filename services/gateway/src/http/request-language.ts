import type { IncomingMessage } from "node:http";
import Negotiator from "negotiator";

export type Language = "zh" | "en";

/**
 * The language of a request's messages by its Accept-Language header (RFC 9110, section 12.5.4); `fallback` where the
 * header names neither language, or is missing.
 */
export function readLanguage(request: Pick<IncomingMessage, "headers">, fallback: Language): Language {
  if (!request.headers["accept-language"]) return fallback;
  const [language] = new Negotiator(request).languages([fallback, fallback === "en" ? "zh" : "en"]);
  return language === "zh" || language === "en" ? language : fallback;
}
