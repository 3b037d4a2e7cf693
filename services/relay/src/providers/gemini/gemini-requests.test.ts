import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/chat/chat.ts";
import { build } from "./gemini-fixtures.ts";

describe("Gemini request", () => {
  it("carries everything the caller sent", () => {
    const body = build({
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Be kind." },
      ],
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      stop: ["END"],
      seed: 7,
      presencePenalty: 0,
      frequencyPenalty: 0.2,
      tools: [
        {
          name: "f",
          description: "d",
          parameters: { $schema: "x", type: "object", properties: { a: { type: "string" } } },
        },
        { name: "nothing", parameters: { type: "object", properties: {} } },
        { name: "googleSearch", parameters: {} },
      ],
      toolChoice: { type: "tool", name: "f" },
      messages: [
        {
          role: "user",
          parts: [
            { type: "text", text: "What?" },
            { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } },
            { type: "image", source: { kind: "url", url: "https://example.com/a.png?x=1" } },
            { type: "audio", format: "wav", data: "BBBB" },
            { type: "file", name: "a.pdf", mediaType: "application/pdf", data: "CCCC" },
          ],
        },
        {
          role: "assistant",
          parts: [
            { type: "reasoning", text: "hm" },
            { type: "tool-call", id: "call_1", name: "f", argumentsText: "", signature: "sig" },
            { type: "tool-call", id: "own2", name: "g", argumentsText: '{"a":1}' },
          ],
        },
        {
          role: "user",
          parts: [
            { type: "tool-result", id: "own2", parts: [{ type: "text", text: '{"b":2}' }] },
            {
              type: "tool-result",
              id: "call_1",
              isError: true,
              parts: [
                { type: "text", text: "no" },
                { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } },
              ],
            },
          ],
        },
      ],
    });
    expect(body).toMatchInlineSnapshot(`
      {
        "contents": [
          {
            "parts": [
              {
                "text": "What?",
              },
              {
                "inlineData": {
                  "data": "AAAA",
                  "mimeType": "image/png",
                },
              },
              {
                "fileData": {
                  "fileUri": "https://example.com/a.png?x=1",
                  "mimeType": "image/png",
                },
              },
              {
                "inlineData": {
                  "data": "BBBB",
                  "mimeType": "audio/wav",
                },
              },
              {
                "inlineData": {
                  "data": "CCCC",
                  "mimeType": "application/pdf",
                },
              },
            ],
            "role": "user",
          },
          {
            "parts": [
              {
                "functionCall": {
                  "args": {},
                  "name": "f",
                },
                "thoughtSignature": "sig",
              },
              {
                "functionCall": {
                  "args": {
                    "a": 1,
                  },
                  "id": "own2",
                  "name": "g",
                },
              },
            ],
            "role": "model",
          },
          {
            "parts": [
              {
                "functionResponse": {
                  "name": "f",
                  "response": {
                    "error": "no",
                  },
                },
              },
              {
                "inlineData": {
                  "data": "AAAA",
                  "mimeType": "image/png",
                },
              },
              {
                "functionResponse": {
                  "id": "own2",
                  "name": "g",
                  "response": {
                    "b": 2,
                  },
                },
              },
            ],
            "role": "user",
          },
        ],
        "generationConfig": {
          "frequencyPenalty": 0.2,
          "maxOutputTokens": 100,
          "seed": 7,
          "stopSequences": [
            "END",
          ],
          "temperature": 0.5,
          "topK": 5,
          "topP": 0.9,
        },
        "safetySettings": [
          {
            "category": "HARM_CATEGORY_HARASSMENT",
            "threshold": "BLOCK_NONE",
          },
          {
            "category": "HARM_CATEGORY_HATE_SPEECH",
            "threshold": "OFF",
          },
          {
            "category": "HARM_CATEGORY_SEXUALLY_EXPLICIT",
            "threshold": "OFF",
          },
          {
            "category": "HARM_CATEGORY_DANGEROUS_CONTENT",
            "threshold": "OFF",
          },
          {
            "category": "HARM_CATEGORY_CIVIC_INTEGRITY",
            "threshold": "OFF",
          },
        ],
        "systemInstruction": {
          "parts": [
            {
              "text": "Be brief.
      Be kind.",
            },
          ],
        },
        "toolConfig": {
          "functionCallingConfig": {
            "allowedFunctionNames": [
              "f",
            ],
            "mode": "ANY",
          },
        },
        "tools": [
          {
            "functionDeclarations": [
              {
                "description": "d",
                "name": "f",
                "parameters": {
                  "properties": {
                    "a": {
                      "type": "string",
                    },
                  },
                  "type": "object",
                },
              },
              {
                "description": "",
                "name": "nothing",
              },
            ],
          },
          {
            "googleSearch": {},
          },
        ],
      }
    `);
  });

  it("merges neighbours of one role, omits empty texts, and always has contents", () => {
    const messages: ChatMessage[] = [
      { role: "user", parts: [{ type: "text", text: "a" }] },
      { role: "assistant", parts: [{ type: "reasoning", text: "only thought" }] },
      {
        role: "user",
        parts: [
          { type: "text", text: "" },
          { type: "text", text: "b" },
        ],
      },
    ];
    expect(build({ messages }).contents).toEqual([{ role: "user", parts: [{ text: "a" }, { text: "b" }] }]);
    expect(build({ messages: [] }).contents).toEqual([{ role: "user", parts: [{ text: "..." }] }]);
  });

  it("requests JSON by type and schema, and not with tools before the third generation", () => {
    const responseFormat = {
      type: "json-schema",
      name: "n",
      schema: { type: "object", additionalProperties: false },
    } as const;
    const tools = [{ name: "f", parameters: {} }];
    expect(build({ responseFormat }).generationConfig).toMatchObject({
      responseMimeType: "application/json",
      responseSchema: { type: "object" },
    });
    const inWords = build({ responseFormat, tools });
    expect(inWords.generationConfig).not.toHaveProperty("responseMimeType");
    expect(JSON.stringify(inWords["systemInstruction"])).toContain("JSON schema");
    expect(build({ responseFormat, tools }, { model: "gemini-3.7-flash" }).generationConfig).toHaveProperty(
      "responseSchema",
    );
    expect(build({ responseFormat: { type: "json" } }).generationConfig).toEqual({
      responseMimeType: "application/json",
    });
  });

  it("sets the site's threshold for all five categories", () => {
    expect(build({})["safetySettings"]).toEqual([
      { category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" },
      { category: "HARM_CATEGORY_HATE_SPEECH", threshold: "OFF" },
      { category: "HARM_CATEGORY_SEXUALLY_EXPLICIT", threshold: "OFF" },
      { category: "HARM_CATEGORY_DANGEROUS_CONTENT", threshold: "OFF" },
      { category: "HARM_CATEGORY_CIVIC_INTEGRITY", threshold: "OFF" },
    ]);
  });

  it("enables images in responses of image models", () => {
    expect(build({}, { model: "gemini-2.5-flash-image" }).generationConfig).toEqual({
      responseModalities: ["TEXT", "IMAGE"],
    });
  });

  it("is refused for features that one response cannot provide", () => {
    expect(() => build({ candidateCount: 2 })).toThrowError(expect.objectContaining({ param: "n" }));
  });
});
