import type { Json } from "../../../core/chat/chat.ts";

export const CONTENTS = [{ role: "user", parts: [{ text: "What time is it?" }] }];
export const BODY: Json = { contents: CONTENTS };
export const CLOCK = { name: "clock", description: "The time.", parameters: { type: "OBJECT", properties: {} } };
export const NOON = { text: "It is noon." };
export const USAGE = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };

/** A candidate as Google returns it. */
export const getCandidate = (fields: Json = {}): Json => ({
  content: { role: "model", parts: [NOON] },
  finishReason: "STOP",
  index: 0,
  ...fields,
});

/** A response as Google returns it. */
export const getResponse = (fields: Json = {}): Json => ({
  candidates: [getCandidate()],
  usageMetadata: USAGE,
  modelVersion: "gemini-2.5-flash",
  responseId: "r1",
  ...fields,
});

export const getPartsBody = (...parts: readonly Json[]): Json =>
  getResponse({ candidates: [getCandidate({ content: { role: "model", parts } })] });
