import { asList, asObject, asText } from "../../core/chat/json.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { geminiEmbeddings } from "./gemini-embeddings.ts";
import { parseGeminiError } from "../formats/gemini/gemini-failure.ts";
import { geminiImages } from "../formats/gemini/gemini-images.ts";
import { buildGeminiBody } from "../formats/gemini/gemini-request.ts";
import { parseGeminiResponse } from "../formats/gemini/gemini-response.ts";
import { newGeminiStreamReader } from "../formats/gemini/gemini-stream-reader.ts";
import { adaptGeminiBody, splitThinking } from "../formats/gemini/gemini-thinking.ts";

const BASE_URL = "https://generativelanguage.googleapis.com";
const VERSION_DEFAULT = "v1beta";
const VERSION = /^v\d\w*$/;

const getBase = ({ baseUrl }: Target): string => (baseUrl || BASE_URL).replace(/\/v\d\w*$/, "");

/** The channel's own version, else the site's for the model, else the site's default. */
function versionFor({ other, settings }: Target, model: string): string {
  const { geminiVersionSettings: versions } = settings;
  const own = VERSION.test(other.trim()) ? other.trim() : undefined;
  return own ?? versions[model] ?? versions["default"] ?? VERSION_DEFAULT;
}

const authHeaders = ({ key }: Target) => ({ "x-goog-api-key": key });

function address(target: Target, stream: boolean) {
  const { model } = splitThinking(target.model, target.settings);
  const call = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  const path = `${versionFor(target, model)}/models/${encodeURIComponent(model)}:${call}`;
  return { url: `${getBase(target)}/${path}`, headers: { ...JSON_CONTENT, ...authHeaders(target) } };
}

const callPlace = (target: Target, call: string) => ({
  url: `${getBase(target)}/${versionFor(target, target.model)}/models/${encodeURIComponent(target.model)}:${call}`,
  headers: { ...JSON_CONTENT, ...authHeaders(target) },
});

const endpoints = {
  ...geminiEmbeddings(callPlace),
  "openai-images": geminiImages(callPlace),
};

/** Google's Gemini API (AI Studio keys). */
export const gemini: Provider = {
  name: "gemini",
  wireFormat: "gemini",
  buildRequest: (request, target) => ({ ...address(target, request.stream), json: buildGeminiBody(request, target) }),
  address,
  adaptBody: adaptGeminiBody,
  requests: { requiresInlineImages: true, keepsInstructions: true },
  parseResponse: parseGeminiResponse,
  newStreamReader: newGeminiStreamReader,
  parseError: parseGeminiError,
  endpoints,
  account: {
    modelList: (target) => ({
      url: `${getBase(target)}/${versionFor(target, target.model)}/models?pageSize=1000`,
      headers: authHeaders(target),
    }),
    parseModelList: (body) =>
      asList(asObject(body)?.["models"]).flatMap(
        (model) => asText(asObject(model)?.["name"])?.replace(/^models\//, "") ?? [],
      ),
  },
  failover: { forbiddenMeansBadKey: true },
};
