import { describe, expect, it } from "vitest";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { asObject, asObjects, parseJson } from "../../core/chat/json.ts";
import { targetFor } from "../../providers/shared/fixtures.ts";
import { gemini } from "../../providers/gemini/gemini.ts";
import { geminiGenerate } from "./gemini-generate.ts";

const SIGNED = { type: "reasoning", text: "Let me see.", signature: "sig" } as const;
const HIDDEN = { type: "redacted-reasoning", data: "xyz" } as const;
const CALL = { type: "tool-call", id: "toolu_1", name: "f", argumentsText: "{}" } as const;
const CONTEXT = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1 };

const getParts = (body: unknown): Json[] =>
  asObjects(asObject(asObject(asObjects(asObject(body)?.["candidates"])[0])?.["content"])?.["parts"]);

function complete(): Json[] {
  const response = { id: "", model: "m", createdAtSeconds: 1, finishReason: "tool-calls", usage: undefined } as const;
  return getParts(geminiGenerate.writeResponse({ ...response, parts: [HIDDEN, SIGNED, CALL] }, CONTEXT));
}

function streamed(): Json[] {
  const parts: readonly StreamPart[] = [
    { type: "start", id: "", model: "m" },
    HIDDEN,
    { type: "reasoning-delta", text: "Let me " },
    { type: "reasoning-delta", text: "see." },
    { type: "reasoning-signature", signature: "sig" },
    { type: "tool-call-start", index: 0, id: CALL.id, name: CALL.name },
    { type: "tool-call-delta", index: 0, argumentsText: "{}" },
    { type: "finish", reason: "tool-calls", usage: undefined },
  ];
  const writer = geminiGenerate.newStreamWriter(CONTEXT);
  const text = parts.map((part) => writer.write(part)).join("");
  return text.split("\n\n").flatMap((event) => getParts(parseJson(event.slice("data: ".length))));
}

const getContents = (parts: readonly Json[]): Json[] => [
  { role: "user", parts: [{ text: "hi" }] },
  { role: "model", parts },
  { role: "user", parts: [{ functionResponse: { name: "f", response: { output: "done" } } }] },
];

describe.each([
  ["whole", complete],
  ["streamed", streamed],
])("reasoning signed by Claude, in a %s response of Google's format", (_, response) => {
  it("is carried in the signature of the call after it and restored unchanged", () => {
    const call = response().find((part) => part["functionCall"] !== undefined);
    expect(call?.["thoughtSignature"]).toMatch(/^[A-Za-z0-9+/]+=*$/);
    const contents = getContents(response().filter(({ thought: reasoning }) => reasoning !== true));
    const { messages } = geminiGenerate.parseRequest({ contents }, { model: "m", stream: false });
    expect(messages[1]?.parts).toEqual([HIDDEN, SIGNED, CALL]);
  });

  it.each([
    ["gemini-2.5-flash", undefined],
    ["gemini-3-pro-preview", "skip_thought_signature_validator"],
  ])("is not sent to %s, which did not sign it", (model, signature) => {
    const body = { contents: getContents(response()) };
    const adapted = gemini.adaptBody?.(body, targetFor({ channelType: 24, model }));
    const parts = asObjects(asObjects(adapted?.["contents"])[1]?.["parts"]);
    expect(parts.find((part) => part["functionCall"] !== undefined)?.["thoughtSignature"]).toBe(signature);
  });
});

it("moves reasoning signed by Claude before the text between it and its call, also from a stream", () => {
  const WORDS = { type: "text", text: "I will look." } as const;
  const SECOND = { type: "tool-call", id: "toolu_2", name: "g", argumentsText: "{}" } as const;
  const response = { id: "", model: "m", createdAtSeconds: 1, finishReason: "tool-calls", usage: undefined } as const;
  const parts = getParts(geminiGenerate.writeResponse({ ...response, parts: [SIGNED, WORDS, CALL, SECOND] }, CONTEXT));
  const [user, , results] = getContents([]);
  const getMessages = (contents: (Json | undefined)[]) =>
    geminiGenerate.parseRequest({ contents }, { model: "m", stream: false }).messages;
  const audio = parts.filter(({ thought: reasoning }) => reasoning !== true);
  const inPieces = audio.map((part) => ({ role: "model", parts: [part] }));
  for (const contents of [
    [user, { role: "model", parts: audio }, results],
    [user, ...inPieces, results],
  ])
    expect(getMessages(contents)[1]?.parts).toEqual([SIGNED, WORDS, CALL, SECOND]);
});

describe("Google's own signature", () => {
  it("is returned to Google unchanged", () => {
    const body = { contents: getContents([{ functionCall: { name: "f", args: {} }, thoughtSignature: "AAAA" }]) };
    expect(gemini.adaptBody?.(body, targetFor({ channelType: 24, model: "gemini-3-pro-preview" }))).toBe(body);
  });
});
