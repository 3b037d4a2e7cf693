import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";
import { BODY, CLOCK } from "./generate-bodies.ts";

const WITH_CLOCK: Json = { ...BODY, tools: [{ functionDeclarations: [CLOCK] }] };

/** The tools that a model is offered. */
export const TOOLS: CoverageTable = {
  title: "Gemini: tools",
  dialect: "gemini",
  union: { declarations: "gemini", type: "Tool", members: "fields" },
  trial: { kind: "request", without: BODY, place: (tool: Json) => ({ ...BODY, tools: [tool] }) },
  rows: {
    functionDeclarations: {
      example: { functionDeclarations: [CLOCK] },
      "openai-chat": converted("functions"),
      "openai-responses": converted("functions"),
      "anthropic-messages": converted("tools"),
    },
    googleSearch: {
      example: { googleSearch: {} },
      "openai-chat": leftOut("OpenAI's search models search without it; others respond from what they know"),
      "openai-responses": converted("`web_search`"),
      "anthropic-messages": converted("`web_search_20250305`"),
    },
    googleSearchRetrieval: {
      example: { googleSearchRetrieval: { dynamicRetrievalConfig: { mode: "MODE_DYNAMIC" } } },
      "openai-chat": leftOut("OpenAI's search models search without it; others respond from what they know"),
      "openai-responses": converted("`web_search`"),
      "anthropic-messages": converted("`web_search_20250305`"),
    },
    codeExecution: {
      example: { codeExecution: {} },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    urlContext: {
      example: { urlContext: {} },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    googleMaps: {
      example: { googleMaps: {} },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    fileSearch: {
      example: { fileSearch: { fileSearchStoreNames: ["fileSearchStores/a"] } },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    retrieval: {
      example: { retrieval: { vertexAiSearch: { datastore: "projects/p/a" } } },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    enterpriseWebSearch: {
      example: { enterpriseWebSearch: {} },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    exaAiSearch: {
      example: { exaAiSearch: { apiKey: "k" } },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    parallelAiSearch: {
      example: { parallelAiSearch: { apiKey: "k" } },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    mcpServers: {
      example: { mcpServers: [{ name: "clocks", streamableHttpTransport: { url: "https://a.example" } }] },
      ...everywhere(
        leftOut(
          "Google runs it and the model may do without it; refused where the mode forces it. Google's channels are preferred",
        ),
      ),
    },
    computerUse: {
      example: { computerUse: { environment: "ENVIRONMENT_BROWSER" } },
      ...everywhere(refused("no other model is trained to operate the screen by Google's actions")),
    },
  },
};

const choose = (mode: string): Json => ({ ...WITH_CLOCK, toolConfig: { functionCallingConfig: { mode } } });

/** Whether the model calls a function. */
export const CALLING_MODES: CoverageTable = {
  title: "Gemini: function calling modes",
  dialect: "gemini",
  union: { declarations: "gemini", type: "FunctionCallingConfigMode", members: "values" },
  trial: { kind: "request", without: WITH_CLOCK, place: choose },
  rows: {
    AUTO: { example: "AUTO", ...everywhere(converted("`auto`")) },
    ANY: {
      example: "ANY",
      "openai-chat": converted("`required`"),
      "openai-responses": converted("`required`"),
      "anthropic-messages": converted("`any`"),
    },
    NONE: { example: "NONE", ...everywhere(converted("`none`")) },
    VALIDATED: { example: "VALIDATED", ...everywhere(converted("`auto`")) },
    MODE_UNSPECIFIED: { example: "MODE_UNSPECIFIED", ...everywhere(leftOut("it is the default, `auto`")) },
  },
};

const configure = (generationConfig: Json): Json => ({ ...BODY, generationConfig });
const REASONERS = { "openai-chat": "gpt-5" };

/** How much the model thinks. */
export const THINKING: CoverageTable = {
  title: "Gemini: thinking",
  dialect: "gemini",
  union: { declarations: "gemini", type: "ThinkingConfig", members: "fields" },
  models: REASONERS,
  trial: { kind: "request", without: BODY, place: (thinkingConfig: Json) => configure({ thinkingConfig }) },
  rows: {
    thinkingBudget: {
      example: { thinkingBudget: 8192 },
      "openai-chat": converted("`reasoning_effort` by the size of the budget"),
      "openai-responses": converted("`reasoning.effort` by the size of the budget"),
      "anthropic-messages": converted("`budget_tokens`"),
    },
    thinkingLevel: {
      example: { thinkingLevel: "LOW" },
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      "anthropic-messages": converted("`budget_tokens`, or the effort of newer models"),
    },
    includeThoughts: {
      example: { includeThoughts: true },
      "openai-chat": converted("`reasoning_effort` high"),
      "openai-responses": converted("`reasoning.effort` high"),
      "anthropic-messages": converted("thinking at the model's own depth"),
    },
  },
};

/** The depths of thinking by name. */
export const THINKING_LEVELS: CoverageTable = {
  title: "Gemini: thinking levels",
  dialect: "gemini",
  union: { declarations: "gemini", type: "ThinkingLevel", members: "values" },
  models: REASONERS,
  trial: {
    kind: "request",
    without: BODY,
    place: (thinkingLevel: string) => configure({ thinkingConfig: { thinkingLevel } }),
  },
  rows: {
    MINIMAL: {
      example: "MINIMAL",
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("the lowest `reasoning.effort` of the model"),
      "anthropic-messages": converted("the smallest `budget_tokens`"),
    },
    LOW: {
      example: "LOW",
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      "anthropic-messages": converted("`budget_tokens`, or the effort of newer models"),
    },
    MEDIUM: {
      example: "MEDIUM",
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      "anthropic-messages": converted("`budget_tokens`, or the effort of newer models"),
    },
    HIGH: {
      example: "HIGH",
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      "anthropic-messages": converted("`budget_tokens`, or the effort of newer models"),
    },
    THINKING_LEVEL_UNSPECIFIED: {
      example: "THINKING_LEVEL_UNSPECIFIED",
      ...everywhere(leftOut("it is the default of the model")),
    },
  },
};

/** The modalities of a response. */
export const MODALITIES: CoverageTable = {
  title: "Gemini: response modalities",
  dialect: "gemini",
  union: { declarations: "gemini", type: "Modality", members: "values" },
  trial: { kind: "request", without: BODY, place: (modality: string) => configure({ responseModalities: [modality] }) },
  rows: {
    TEXT: { example: "TEXT", ...everywhere(leftOut("it is what models return")) },
    IMAGE: {
      example: "IMAGE",
      ...everywhere(leftOut("models that generate images return them without it; others return text")),
    },
    AUDIO: {
      example: "AUDIO",
      ...everywhere(refused("speech is not requested from providers of other formats; the error names the field")),
    },
    VIDEO: {
      example: "VIDEO",
      ...everywhere(leftOut("no model of another format returns it; the response is text")),
    },
    MODALITY_UNSPECIFIED: { example: "MODALITY_UNSPECIFIED", ...everywhere(leftOut("it is the default")) },
  },
};

/** The service tiers that a caller requests. */
export const REQUESTED_TIERS: CoverageTable = {
  title: "Gemini: requested service tiers",
  dialect: "gemini",
  union: { declarations: "gemini", type: "ServiceTier", members: "values" },
  trial: { kind: "request", without: BODY, place: (serviceTier: string) => ({ ...BODY, serviceTier }) },
  rows: {
    unspecified: {
      example: "unspecified",
      ...everywhere(leftOut("it leaves the tier to the provider, as no tier does")),
    },
    standard: {
      example: "standard",
      "openai-chat": converted("`service_tier` default, at OpenAI itself"),
      "openai-responses": converted("`service_tier` default"),
      "anthropic-messages": leftOut("it is the default; the tier that the response reports is charged"),
    },
    flex: {
      example: "flex",
      "openai-chat": converted("`service_tier` flex, at OpenAI itself"),
      "openai-responses": converted("`service_tier` flex"),
      "anthropic-messages": leftOut("Anthropic sells no such tier; the tier that its response reports is charged"),
    },
    priority: {
      example: "priority",
      "openai-chat": converted("`service_tier` priority, at OpenAI itself"),
      "openai-responses": converted("`service_tier` priority"),
      "anthropic-messages": leftOut("Anthropic sells no such tier; the tier that its response reports is charged"),
    },
  },
};
