import { asObject } from "../../../core/chat/json.ts";
import type { UpstreamFailure } from "../../../core/errors/relay-error.ts";
import { readFailure, redactWithin, statusFailure } from "../../shared/upstream-failure.ts";

/** Anthropic's error: its `details` add to the type (platform.claude.com/docs/en/api/errors). */
export function parseAnthropicError(status: number, body: unknown): UpstreamFailure {
  const failure = readFailure(body) ?? statusFailure(status);
  const value = asObject(asObject(asObject(body)?.["error"])?.["details"]);
  return value ? { ...failure, details: { format: "anthropic-messages", value: redactWithin(value) } } : failure;
}
