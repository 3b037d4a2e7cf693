import type { ChatResponse, Json } from "../../../core/chat/chat.ts";
import { asObject, asObjects, asText, compact } from "../../../core/chat/json.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import { toResponse, endpointProvider } from "../../shared/endpoints/endpoint-provider.ts";
import { refuseManyImages } from "../../shared/endpoints/image-list.ts";
import { getFailure, unreadableResponse } from "../../shared/upstream-failure.ts";
import { parseImageUsage } from "../openai/response/openai-image-response.ts";
import type { Endpoint, Provider } from "../../contract/provider.ts";
import type { ProviderSettings, Target } from "../../contract/target.ts";
import { StreamFailure } from "../../../core/wire/stream.ts";
import { parseGeminiError, geminiErrorInside } from "./gemini-failure.ts";
import { generatesImages } from "./gemini-models.ts";
import { parseGeminiResponse } from "./gemini-response.ts";

const ASPECT_RATIOS: Readonly<Record<string, string>> = {
  "1024x1024": "1:1",
  "1024x1792": "9:16",
  "1792x1024": "16:9",
  "1024x1536": "3:4",
  "1536x1024": "4:3",
};

const isImagen = (model: string): boolean => model.startsWith("imagen");

function getAspect(body: Json): string {
  return ASPECT_RATIOS[asText(body["size"]) ?? ""] ?? "1:1";
}

/** Imagen's predict call. */
function imagenBody(body: Json): Json {
  return {
    instances: [{ prompt: body["prompt"] }],
    parameters: {
      sampleCount: Number(body["n"] ?? 0) || 1,
      aspectRatio: getAspect(body),
      personGeneration: "allow_adult",
    },
  };
}

/** A single-turn chat call whose response may only be an image. Throws invalid_request for several images per call. */
function buildImageBody(body: Json): Json {
  refuseManyImages(body);
  const imageConfig = body["size"] === undefined ? undefined : { aspectRatio: getAspect(body) };
  return {
    contents: [{ role: "user", parts: [{ text: body["prompt"] }] }],
    generationConfig: compact({ responseModalities: ["TEXT", "IMAGE"], imageConfig }),
  };
}

function refuseOtherModels(model: string, settings: ProviderSettings): void {
  if (isImagen(model) || generatesImages(model, settings)) return;
  throw new RelayError("invalid_request", `the model ${model} does not generate images`, { param: "model" });
}

const filtered = (reason: string): StreamFailure =>
  new StreamFailure(
    getFailure(`no image was generated: ${reason}`, { type: "invalid_request_error", code: "content_filter" }),
    400,
  );

function parseImages(value: unknown): ChatResponse {
  const body = asObject(value);
  if (!body) throw unreadableResponse();
  if (body["error"]) throw geminiErrorInside(body);
  if (body["candidates"] !== undefined || body["promptFeedback"] !== undefined) {
    const response = parseGeminiResponse(value);
    if (response.parts.some(({ type }) => type === "image")) return toResponse(response.usage);
    throw filtered("the model responded without one");
  }
  const predictions = asObjects(body["predictions"]);
  const images = predictions.filter((one) => asText(one["bytesBase64Encoded"])).length;
  if (images > 0) return toResponse(parseImageUsage(undefined, images));
  throw filtered(
    predictions.map((one) => asText(one["raiFilteredReason"])).find(Boolean) ?? "the provider filtered it",
  );
}

/**
 * OpenAI's image generations on Imagen and on Gemini's image models. The dialect writes the response in OpenAI's
 * format.
 */
export const geminiImages = (place: (target: Target, call: string) => Endpoint): Provider =>
  endpointProvider("openai-images", {
    address: (target) => place(target, isImagen(target.model) ? "predict" : "generateContent"),
    adaptBody(body, { model, settings }) {
      refuseOtherModels(model, settings);
      return isImagen(model) ? imagenBody(body) : buildImageBody(body);
    },
    parseResponse: parseImages,
    parseError: parseGeminiError,
  });
