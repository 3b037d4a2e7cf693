import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";
import { NOON, getCandidate, getPartsBody, getResponse } from "./generate-bodies.ts";

const CALL = { name: "clock", args: { zone: "UTC" } };

/** The parts that Gemini returns. */
export const RESPONSE_PARTS: CoverageTable = {
  title: "Gemini: parts of responses",
  dialect: "gemini",
  union: { declarations: "gemini", type: "Part", members: "fields" },
  trial: { kind: "response", without: getPartsBody(NOON), place: (part: Json) => getPartsBody(NOON, part) },
  rows: {
    text: {
      example: { text: " Look at the clock." },
      "openai-chat": converted("`content`"),
      "openai-responses": converted("an `output_text` part"),
      "anthropic-messages": converted("a text block"),
    },
    thought: {
      example: { text: "A clock is needed.", thought: true },
      "openai-chat": converted("`reasoning_content`"),
      "openai-responses": converted("a `reasoning` item"),
      "anthropic-messages": converted("a thinking block"),
    },
    thoughtSignature: {
      example: { functionCall: { id: "c1", ...CALL }, thoughtSignature: "c2ln" },
      without: getPartsBody(NOON, { functionCall: { id: "c1", ...CALL } }),
      "openai-chat": converted("`extra_content.google.thought_signature` of the call"),
      "openai-responses": converted("a `reasoning` item with `encrypted_content` before the call"),
      "anthropic-messages": converted("a `redacted_thinking` block before the call"),
    },
    inlineData: {
      example: { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
      ...everywhere(converted("Markdown with a data URL")),
    },
    fileData: {
      example: { fileData: { mimeType: "image/png", fileUri: "https://a.example/clock.png" } },
      ...everywhere(converted("Markdown with the address")),
    },
    functionCall: {
      example: { functionCall: { id: "c1", ...CALL } },
      "openai-chat": converted("`tool_calls`"),
      "openai-responses": converted("a `function_call` item"),
      "anthropic-messages": converted("a `tool_use` block"),
    },
    functionResponse: {
      example: { functionResponse: { name: "clock", response: { result: "12:00" } } },
      ...everywhere(leftOut("callers send it; a response has none")),
    },
    executableCode: {
      example: { executableCode: { language: "PYTHON", code: "print(12)" } },
      ...everywhere(converted("a code block in Markdown")),
    },
    codeExecutionResult: {
      example: { codeExecutionResult: { outcome: "OUTCOME_OK", output: "12" } },
      ...everywhere(converted("a code block in Markdown")),
    },
    toolCall: {
      example: { toolCall: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", args: { query: "time" } } },
      ...everywhere(leftOut("Google ran the tool; what the model found is in its text")),
    },
    toolResponse: {
      example: { toolResponse: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", response: { text: "noon" } } },
      ...everywhere(leftOut("Google ran the tool; what the model found is in its text")),
    },
    audioTranscription: {
      example: { audioTranscription: { text: "It strikes twelve.", finished: true } },
      ...everywhere(converted("text")),
    },
    videoMetadata: {
      example: { text: " Look.", videoMetadata: { fps: 1 } },
      without: getPartsBody(NOON, { text: " Look." }),
      ...everywhere(leftOut("it describes the part for Google's own clients")),
    },
    mediaResolution: {
      example: { text: " Look.", mediaResolution: { level: "MEDIA_RESOLUTION_LOW" } },
      without: getPartsBody(NOON, { text: " Look." }),
      ...everywhere(leftOut("it describes the part for Google's own clients")),
    },
    mediaProcessing: {
      example: { text: " Look.", mediaProcessing: "STATIC" },
      without: getPartsBody(NOON, { text: " Look." }),
      ...everywhere(leftOut("it describes the part for Google's own clients")),
    },
    partMetadata: {
      example: { text: " Look.", partMetadata: { source: "a" } },
      without: getPartsBody(NOON, { text: " Look." }),
      ...everywhere(leftOut("it describes the part for Google's own clients")),
    },
    speechMetadata: {
      example: { text: " Look.", speechMetadata: { speaker: "A" } },
      without: getPartsBody(NOON, { text: " Look." }),
      ...everywhere(leftOut("it describes the part for Google's own clients")),
    },
  },
};

const place = (fields: Json): Json => getResponse({ candidates: [getCandidate(fields)] });

/** The fields of a candidate. */
export const CANDIDATE: CoverageTable = {
  title: "Gemini: candidates",
  dialect: "gemini",
  union: { declarations: "gemini", type: "Candidate", members: "fields" },
  trial: { kind: "response", without: place({}), place },
  rows: {
    content: {
      example: { content: { role: "model", parts: [{ text: "It is one." }] } },
      "openai-chat": converted("the message"),
      "openai-responses": converted("the output"),
      "anthropic-messages": converted("the content"),
    },
    finishReason: {
      example: { finishReason: "MAX_TOKENS" },
      "openai-chat": converted("`finish_reason`"),
      "openai-responses": converted("`status` and `incomplete_details`"),
      "anthropic-messages": converted("`stop_reason`"),
    },
    finishMessage: {
      example: { finishReason: "SAFETY", finishMessage: "It asks for an attack." },
      without: place({ finishReason: "SAFETY" }),
      "openai-chat": converted("`refusal`"),
      "openai-responses": converted("a `refusal` part"),
      "anthropic-messages": converted("text and `stop_details.explanation`"),
    },
    index: {
      example: { index: 1 },
      ...everywhere(leftOut("one candidate is requested; a second one is charged and not written")),
    },
    groundingMetadata: {
      example: {
        groundingMetadata: {
          webSearchQueries: ["time"],
          groundingChunks: [{ web: { uri: "https://a.example", title: "Clocks" } }],
          groundingSupports: [
            { segment: { startIndex: 0, endIndex: 11, text: "It is noon." }, groundingChunkIndices: [0] },
          ],
        },
      },
      "openai-chat": converted("`annotations`; its queries are charged"),
      "openai-responses": converted("`annotations`; its queries are charged"),
      "anthropic-messages": converted("`citations` and `server_tool_use`; its queries are charged"),
    },
    citationMetadata: {
      example: {
        citationMetadata: { citations: [{ startIndex: 0, endIndex: 11, uri: "https://a.example", license: "mit" }] },
      },
      ...everywhere(leftOut("it lists sources that the model repeats; the text is complete")),
    },
    urlContextMetadata: {
      example: {
        urlContextMetadata: {
          urlMetadata: [{ retrievedUrl: "https://a.example", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" }],
        },
      },
      ...everywhere(leftOut("it lists pages that Google read; their tokens are charged")),
    },
    safetyRatings: {
      example: { safetyRatings: [{ category: "HARM_CATEGORY_HARASSMENT", probability: "NEGLIGIBLE" }] },
      ...everywhere(leftOut("no other format has them; a filter shows in the finish reason")),
    },
    tokenCount: { example: { tokenCount: 20 }, ...everywhere(leftOut("the usage has it")) },
    avgLogprobs: { example: { avgLogprobs: -0.1 }, ...everywhere(leftOut("no converted call requests probabilities")) },
    logprobsResult: {
      example: { logprobsResult: { chosenCandidates: [{ token: "It", tokenId: 1, logProbability: -0.1 }] } },
      ...everywhere(leftOut("no converted call requests probabilities")),
    },
    continuationToken: {
      example: { continuationToken: "next" },
      ...everywhere(
        leftOut("it continues a response at Google alone; the finish reason shows that it is not complete"),
      ),
    },
  },
};

const SUPPORTS = [{ segment: { startIndex: 0, endIndex: 11, text: "It is noon." }, groundingChunkIndices: [0] }];
const ground = (chunk: Json): Json =>
  place({ groundingMetadata: { groundingChunks: [chunk], groundingSupports: SUPPORTS } });

/** What a response is grounded on. */
export const GROUNDING_CHUNKS: CoverageTable = {
  title: "Gemini: grounding chunks",
  dialect: "gemini",
  union: { declarations: "gemini", type: "GroundingChunk", members: "fields" },
  trial: { kind: "response", without: place({}), place: ground },
  rows: {
    web: {
      example: { web: { uri: "https://a.example", title: "Clocks", domain: "a.example" } },
      "openai-chat": converted("a `url_citation` annotation"),
      "openai-responses": converted("a `url_citation` annotation"),
      "anthropic-messages": converted("a citation"),
    },
    maps: {
      example: { maps: { uri: "https://maps.example/1", title: "Clock tower", placeId: "places/1" } },
      "openai-chat": converted("a `url_citation` annotation; charged as a map query"),
      "openai-responses": converted("a `url_citation` annotation; charged as a map query"),
      "anthropic-messages": converted("a citation; charged as a map query"),
    },
    retrievedContext: {
      example: { retrievedContext: { uri: "https://a.example/clocks.pdf", title: "clocks.pdf", text: "Noon." } },
      "openai-chat": converted("a `url_citation` annotation, where it has a web address"),
      "openai-responses": converted("a `url_citation` annotation, where it has a web address"),
      "anthropic-messages": converted("a citation, where it has a web address"),
    },
    image: {
      example: { image: { sourceUri: "https://a.example", imageUri: "https://a.example/clock.png", title: "Clock" } },
      "openai-chat": converted("a `url_citation` annotation of its page"),
      "openai-responses": converted("a `url_citation` annotation of its page"),
      "anthropic-messages": converted("a citation of its page"),
    },
  },
};

/** The fields of a response. */
export const RESPONSE: CoverageTable = {
  title: "Gemini: responses",
  dialect: "gemini",
  union: { declarations: "gemini", type: "GenerateContentResponse", members: "fields" },
  trial: { kind: "response", without: getResponse(), place: getResponse },
  rows: {
    candidates: {
      example: { candidates: [getCandidate({ content: { role: "model", parts: [{ text: "It is one." }] } })] },
      "openai-chat": converted("`choices`"),
      "openai-responses": converted("`output`"),
      "anthropic-messages": converted("`content`"),
    },
    usageMetadata: {
      example: { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 } },
      ...everywhere(converted("`usage`")),
    },
    promptFeedback: {
      example: { candidates: [], promptFeedback: { blockReason: "SAFETY" } },
      ...everywhere(refused("content policy, with the reason; the prompt is charged")),
    },
    modelVersion: {
      example: { modelVersion: "gemini-2.5-flash-002" },
      ...everywhere(leftOut("callers get the name that they requested")),
    },
    responseId: {
      example: { responseId: "r2" },
      "openai-chat": converted("`id`"),
      "openai-responses": leftOut("ids of this format are of its own form"),
      "anthropic-messages": leftOut("ids of this format are of its own form"),
    },
    createTime: {
      example: { createTime: "2026-01-01T00:00:00Z" },
      ...everywhere(leftOut("the time of the response is written")),
    },
    modelStatus: {
      example: { modelStatus: { modelStage: "STABLE" } },
      ...everywhere(leftOut("it is about the life cycle of the model")),
    },
    sdkHttpResponse: { example: {}, ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")) },
    automaticFunctionCallingHistory: {
      example: {},
      ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")),
    },
    text: { example: {}, ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")) },
    data: { example: {}, ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")) },
    functionCalls: { example: {}, ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")) },
    executableCode: { example: {}, ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")) },
    codeExecutionResult: {
      example: {},
      ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")),
    },
    initialPromptTokenCount: {
      example: {},
      ...everywhere(leftOut("the SDK makes it from the parts; it is not on the wire")),
    },
  },
};
