import { describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import { openAiChat } from "./openai-chat.ts";

const PNG = "data:image/png;base64,iVBORw0KGgo=";

const parse = (fields: object) =>
  openAiChat.parseRequest({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }], ...fields });

function refusal(body: unknown): RelayError {
  try {
    openAiChat.parseRequest(body);
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
  throw new Error("the body was accepted");
}

describe("OpenAI request", () => {
  it("keeps OpenAI-only fields, and adds none that were not sent", () => {
    const requested = { verbosity: "low", service_tier: "priority", metadata: { a: "b" }, safety_identifier: "s" };
    expect(parse({ ...requested, prompt_cache_key: null }).openAi).toEqual(requested);
    expect(parse({})).not.toHaveProperty("openAi");
  });

  it("is parsed into the internal form with all its fields", () => {
    const body = {
      model: "gpt-4o",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      max_completion_tokens: 200,
      temperature: 0.5,
      top_p: 0.9,
      stop: "END",
      n: 1,
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      reasoning_effort: "low",
      parallel_tool_calls: false,
      user: "u1",
      an_unknown_field: { of: "any form" },
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }] },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: PNG, detail: "low" } },
            { type: "image_url", image_url: { url: "https://example.com/a.png" } },
            { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" } },
          ],
        },
        { role: "developer", content: "Be kind." },
      ],
    };
    expect(openAiChat.parseRequest(body)).toMatchInlineSnapshot(`
      {
        "candidateCount": 1,
        "frequencyPenalty": 0.2,
        "includeUsage": true,
        "maxOutputTokens": 200,
        "messages": [
          {
            "parts": [
              {
                "text": "What is this?",
                "type": "text",
              },
              {
                "detail": "low",
                "source": {
                  "data": "iVBORw0KGgo=",
                  "kind": "base64",
                  "mediaType": "image/png",
                },
                "type": "image",
              },
              {
                "source": {
                  "kind": "url",
                  "url": "https://example.com/a.png",
                },
                "type": "image",
              },
              {
                "data": "UklGRg==",
                "format": "wav",
                "type": "audio",
              },
              {
                "data": "JVBERg==",
                "mediaType": "application/pdf",
                "name": "a.pdf",
                "type": "file",
              },
            ],
            "role": "user",
          },
          {
            "parts": [
              {
                "isInstruction": true,
                "text": "Be kind.",
                "type": "text",
              },
            ],
            "role": "user",
          },
        ],
        "model": "gpt-4o",
        "parallelToolCalls": false,
        "presencePenalty": 0.1,
        "reasoning": {
          "effort": "low",
        },
        "seed": 7,
        "stop": [
          "END",
        ],
        "stream": true,
        "system": [
          {
            "cacheControl": {
              "type": "ephemeral",
            },
            "text": "Be brief.",
            "type": "text",
          },
        ],
        "temperature": 0.5,
        "topP": 0.9,
        "user": "u1",
      }
    `);
  });

  it.each([
    [{ type: "text" }, { type: "text" }],
    [{ type: "json_object" }, { type: "json" }],
    [
      { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } },
      { type: "json-schema", name: "n", schema: { type: "object" }, strict: true },
    ],
  ])("accepts the response format %j", (format, expected) => {
    expect(parse({ response_format: format }).responseFormat).toEqual(expected);
  });

  it.each([
    [{ reasoning_effort: "high" }, { effort: "high" }],
    [{ reasoning: { max_tokens: 3000 } }, { budgetTokens: 3000 }],
    [{ thinking: { type: "enabled", budget_tokens: 2000 } }, { budgetTokens: 2000 }],
    [{ thinking: { type: "disabled" } }, { budgetTokens: 0 }],
    [{}, undefined],
  ])("accepts reasoning requested as %j", (fields, expected) => {
    expect(parse(fields).reasoning).toEqual(expected);
  });

  it("keeps a refusal in place of the content, so that its turn is not lost", () => {
    const refused = { role: "assistant", content: null, refusal: "I cannot." };
    const requested = { role: "assistant", content: "Yes.", refusal: null };
    const { messages } = parse({ messages: [refused, requested] });
    expect(messages.map(({ parts }) => parts)).toEqual([
      [{ type: "text", text: "I cannot." }],
      [{ type: "text", text: "Yes." }],
    ]);
  });

  it("keeps earlier reasoning with the assistant's message", () => {
    const { messages } = parse({ messages: [{ role: "assistant", reasoning_content: "hm", content: "yes" }] });
    expect(messages[0]?.parts).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "yes" },
    ]);
  });

  it.each([
    ["not an object", [], undefined],
    ["no model", { messages: [{ role: "user", content: "x" }] }, "model"],
    ["no messages", { model: "m" }, "messages"],
    ["empty messages", { model: "m", messages: [] }, "messages"],
    ["messages of a wrong type", { model: "m", messages: "hi" }, "messages"],
    ["a message that is no object", { model: "m", messages: ["hi"] }, "messages[0]"],
    ["an unknown role", { model: "m", messages: [{ role: "king", content: "x" }] }, "messages[0].role"],
    ["content of a wrong type", { model: "m", messages: [{ role: "user", content: 5 }] }, "messages[0].content"],
    [
      "an unknown content type",
      { model: "m", messages: [{ role: "user", content: [{ type: "smell" }] }] },
      "messages[0].content[0].type",
    ],
    [
      "an image that is none",
      { model: "m", messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "ftp://x" } }] }] },
      "messages[0].content[0].image_url.url",
    ],
    [
      "a result without its call",
      { model: "m", messages: [{ role: "tool", content: "x" }] },
      "messages[0].tool_call_id",
    ],
    ["a temperature as text", { model: "m", messages: [{ role: "user" }], temperature: "hot" }, "temperature"],
    ["a bound beyond reason", { model: "m", messages: [{ role: "user" }], max_tokens: 1_073_741_824 }, "max_tokens"],
    ["a negative bound", { model: "m", messages: [{ role: "user" }], max_tokens: -1 }, "max_tokens"],
    ["a stream flag as text", { model: "m", messages: [{ role: "user" }], stream: "yes" }, "stream"],
    ["an audio response", { model: "m", messages: [{ role: "user" }], modalities: ["text", "audio"] }, "modalities"],
    ["probabilities of tokens", { model: "m", messages: [{ role: "user" }], logprobs: true }, "logprobs"],
    ["an unknown effort", { model: "m", messages: [{ role: "user" }], reasoning_effort: "huge" }, "reasoning_effort"],
    [
      "an unknown format",
      { model: "m", messages: [{ role: "user" }], response_format: { type: "xml" } },
      "response_format.type",
    ],
    [
      "a tool without a name",
      { model: "m", messages: [{ role: "user" }], tools: [{ type: "function", function: {} }] },
      "tools[0].function.name",
    ],
  ])("is refused with the field's name for %s", (_, body, param) => {
    const error = refusal(body);
    expect(error).toMatchObject({ code: "invalid_request", status: 400, param });
  });
});
