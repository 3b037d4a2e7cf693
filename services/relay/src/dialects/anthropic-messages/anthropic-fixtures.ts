import { expect } from "vitest";
import type { ResponseContext } from "../../core/call/dialect.ts";

export const CONTEXT: ResponseContext = {
  requestId: "req1",
  model: "claude-x",
  includeUsage: false,
  createdAtSeconds: 1,
};

export const USAGE = {
  promptTokens: 100,
  completionTokens: 5,
  cacheReadTokens: 40,
  cacheWriteTokens: 10,
  reasoningTokens: 0,
};

export type Event = { type: string; index?: number } & Record<string, unknown>;

/** Parses the events of a stream; checks that each event's name is its type. */
export function events(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(frame);
      const event = JSON.parse(match?.[2] ?? "") as Event;
      expect(event.type).toBe(match?.[1]);
      return event;
    });
}
