import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";
import { BODY } from "./generate-bodies.ts";

const place = (generationConfig: Json): Json => ({ ...BODY, generationConfig });
const SCHEMA = { type: "OBJECT", properties: { time: { type: "STRING" } }, required: ["time"] };
const JSON_SCHEMA = { type: "object", properties: { time: { type: "string" } }, required: ["time"] };
const JSON_TYPE = { responseMimeType: "application/json" };

/** How a response is generated. */
export const GENERATION_CONFIG: CoverageTable = {
  title: "Gemini: generation settings",
  dialect: "gemini",
  union: { declarations: "gemini", type: "GenerationConfig", members: "fields" },
  trial: { kind: "request", without: BODY, place },
  rows: {
    maxOutputTokens: {
      example: { maxOutputTokens: 100 },
      "openai-chat": converted("`max_tokens`, for newer models `max_completion_tokens`"),
      "openai-responses": converted("`max_output_tokens`"),
      "anthropic-messages": converted("`max_tokens`"),
    },
    temperature: {
      example: { temperature: 0.5 },
      "openai-chat": converted("`temperature`"),
      "openai-responses": leftOut("models of the Responses API take none"),
      "anthropic-messages": converted("`temperature`, at most 1"),
    },
    topP: {
      example: { topP: 0.5 },
      "openai-chat": converted("`top_p`"),
      "openai-responses": leftOut("models of the Responses API take none"),
      "anthropic-messages": converted("`top_p`"),
    },
    topK: {
      example: { topK: 5 },
      "openai-chat": leftOut("OpenAI has none; `top_p` has the same purpose"),
      "openai-responses": leftOut("models of the Responses API take none"),
      "anthropic-messages": converted("`top_k`"),
    },
    seed: {
      example: { seed: 7 },
      "openai-chat": converted("`seed`"),
      "openai-responses": leftOut("models of the Responses API take none"),
      "anthropic-messages": leftOut("Claude has none; a seed is a best effort anywhere"),
    },
    stopSequences: {
      example: { stopSequences: ["noon"] },
      "openai-chat": converted("`stop`"),
      "openai-responses": leftOut("models of the Responses API take none; the response is not cut"),
      "anthropic-messages": converted("`stop_sequences`"),
    },
    presencePenalty: {
      example: { presencePenalty: 0.5 },
      "openai-chat": converted("`presence_penalty`"),
      "openai-responses": leftOut("models of the Responses API take none"),
      "anthropic-messages": leftOut("Claude has none"),
    },
    frequencyPenalty: {
      example: { frequencyPenalty: 0.5 },
      "openai-chat": converted("`frequency_penalty`"),
      "openai-responses": leftOut("models of the Responses API take none"),
      "anthropic-messages": leftOut("Claude has none"),
    },
    candidateCount: {
      example: { candidateCount: 2 },
      ...everywhere(refused("one response is converted; Google's channels return several")),
    },
    responseMimeType: { example: JSON_TYPE, ...everywhere(converted("an instruction to respond in JSON")) },
    responseSchema: {
      example: { ...JSON_TYPE, responseSchema: SCHEMA },
      without: place(JSON_TYPE),
      "openai-chat": converted("`response_format`"),
      "openai-responses": converted("`text.format`"),
      "anthropic-messages": converted("`output_config.format`, or a forced tool"),
    },
    responseJsonSchema: {
      example: { ...JSON_TYPE, responseJsonSchema: JSON_SCHEMA },
      without: place(JSON_TYPE),
      "openai-chat": converted("`response_format`"),
      "openai-responses": converted("`text.format`"),
      "anthropic-messages": converted("`output_config.format`, or a forced tool"),
    },
    responseFormat: {
      example: { responseFormat: [{ text: { mimeType: "APPLICATION_JSON", schema: JSON_SCHEMA } }] },
      "openai-chat": converted("`response_format`"),
      "openai-responses": converted("`text.format`"),
      "anthropic-messages": converted("`output_config.format`, or a forced tool"),
    },
    responseModalities: {
      example: { responseModalities: ["AUDIO"] },
      ...everywhere(refused("speech is not requested from providers of other formats; the error names the field")),
    },
    responseLogprobs: {
      example: { responseLogprobs: true },
      ...everywhere(leftOut("probabilities are not part of the content, and have another form in other formats")),
    },
    logprobs: {
      example: { responseLogprobs: true, logprobs: 3 },
      ...everywhere(leftOut("probabilities are not part of the content, and have another form in other formats")),
    },
    thinkingConfig: {
      example: { thinkingConfig: { thinkingBudget: 8192 } },
      "openai-chat": leftOut("this model does not reason; those that do get `reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      "anthropic-messages": converted("`thinking`"),
    },
    mediaResolution: {
      example: { mediaResolution: "MEDIA_RESOLUTION_LOW" },
      ...everywhere(leftOut("it is advice on how Gemini reads media; they are sent")),
    },
    speechConfig: {
      example: { speechConfig: { languageCode: "en-US" } },
      ...everywhere(leftOut("it is for speech, which is refused as a modality")),
    },
    audioTimestamp: {
      example: { audioTimestamp: true },
      ...everywhere(leftOut("it is advice on how Gemini reads audio; it is sent")),
    },
    audioTranscriptionConfig: {
      example: { audioTranscriptionConfig: {} },
      ...everywhere(leftOut("it is for Google's transcriptions")),
    },
    enableAffectiveDialog: {
      example: { enableAffectiveDialog: true },
      ...everywhere(leftOut("it is for Google's models with audio output")),
    },
    enableEnhancedCivicAnswers: {
      example: { enableEnhancedCivicAnswers: true },
      ...everywhere(leftOut("it is for Google's knowledge of elections")),
    },
    modelSelectionConfig: {
      example: { modelSelectionConfig: { featureSelectionPreference: "BALANCED" } },
      ...everywhere(leftOut("the caller names the model; Google's choice among its own does not apply")),
    },
    routingConfig: {
      example: { routingConfig: { manualMode: { modelName: "gemini-2.5-flash" } } },
      ...everywhere(leftOut("the caller names the model; Google's choice among its own does not apply")),
    },
    translationConfig: {
      example: { translationConfig: { targetLanguageCode: "de" } },
      ...everywhere(leftOut("it is for Google's models that translate speech")),
    },
  },
};
