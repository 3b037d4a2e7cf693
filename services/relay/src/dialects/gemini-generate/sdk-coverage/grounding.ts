import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { getCandidate, getResponse } from "./generate-bodies.ts";

const CHUNKS = { groundingChunks: [{ web: { uri: "https://a.example", title: "Clocks" } }] };
const ground = (groundingMetadata: Json): Json => getResponse({ candidates: [getCandidate({ groundingMetadata })] });

/** What Google searched for a response, and what it found. */
export const GROUNDING: CoverageTable = {
  title: "Gemini: grounding",
  dialect: "gemini",
  union: { declarations: "gemini", type: "GroundingMetadata", members: "fields" },
  trial: { kind: "response", without: ground({}), place: ground },
  rows: {
    webSearchQueries: {
      example: { webSearchQueries: ["time"] },
      "openai-chat": converted("charged by the query"),
      "openai-responses": converted("charged by the query"),
      "anthropic-messages": converted("`server_tool_use`; charged by the query"),
    },
    imageSearchQueries: {
      example: { imageSearchQueries: ["clock"] },
      "openai-chat": converted("charged by the query"),
      "openai-responses": converted("charged by the query"),
      "anthropic-messages": converted("`server_tool_use`; charged by the query"),
    },
    retrievalQueries: {
      example: { retrievalQueries: ["clock"] },
      ...everywhere(leftOut("Google does not charge for queries in the caller's own documents")),
    },
    groundingChunks: {
      example: CHUNKS,
      "openai-chat": converted("`annotations`"),
      "openai-responses": converted("`annotations`"),
      "anthropic-messages": converted("`citations`"),
    },
    groundingSupports: {
      example: {
        ...CHUNKS,
        groundingSupports: [{ segment: { startIndex: 6, endIndex: 11, text: "noon." }, groundingChunkIndices: [0] }],
      },
      without: ground(CHUNKS),
      "openai-chat": converted("the places of `annotations`"),
      "openai-responses": converted("the places of `annotations`"),
      "anthropic-messages": leftOut("a citation belongs to its text block"),
    },
    googleMapsWidgetContextToken: {
      example: { googleMapsWidgetContextToken: "t" },
      ...everywhere(converted("charged as a map query")),
    },
    searchEntryPoint: {
      example: { searchEntryPoint: { renderedContent: "<div></div>" } },
      ...everywhere(leftOut("it is a widget for web pages; the citations are there")),
    },
    retrievalMetadata: {
      example: { retrievalMetadata: { googleSearchDynamicRetrievalScore: 0.5 } },
      ...everywhere(leftOut("it is a score of whether to search")),
    },
    sourceFlaggingUris: {
      example: { sourceFlaggingUris: [{ sourceId: "1", flagContentUri: "https://a.example" }] },
      ...everywhere(leftOut("it is for reports about Google's places")),
    },
  },
};
