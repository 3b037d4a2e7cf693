import { isObject, type JsonObject, type ReceivedRequest, textIn } from "./wire-format.ts";

export type VendorResponse = { readonly status: number; readonly type: string; readonly body: string | Buffer };

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const RUN = /^\/client\/v4\/accounts\/([^/]+)\/ai\/run\/(@cf\/.+)$/;
const ALI = "/api/v1/services/";
const TASK = "/api/v1/tasks/task-1";
const T2A = "/v1/t2a_v2";

const json = (body: object, status = 200): VendorResponse => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});

const cloudflareRefusal = (message: string): VendorResponse =>
  json({ result: null, success: false, errors: [{ message: `AiError: ${message}`, code: 5006 }], messages: [] }, 400);
const result = (value: object): VendorResponse => json({ result: value, success: true, errors: [], messages: [] });

function transcript(model: string, { headers, body, bytes }: ReceivedRequest): VendorResponse {
  if (model.endsWith("whisper")) {
    const isBytes = headers["content-type"] === "application/octet-stream" && bytes.toString("latin1", 0, 4) === "RIFF";
    return isBytes ? result({ text: "Good morning.", word_count: 2, words: [] }) : cloudflareRefusal("bytes expected");
  }
  const audio = Buffer.from(String(body["audio"]), "base64").toString("latin1", 0, 4);
  if (audio !== "RIFF") return cloudflareRefusal("audio must be base64");
  if (body["task"] !== "transcribe" && body["task"] !== "translate") return cloudflareRefusal("task is unknown");
  return result({ text: " Good morning.", transcription_info: { language: "en", duration: 61.5 }, segments: [] });
}

const KNOWN_TO_FLUX_2 = new Set(["prompt", "width", "height", "steps", "guidance", "seed"]);
/** The input images of an edit. */
const FLUX_2_INPUT = /^input_image_[0-3]$/;

function isStranger([name, value]: [string, unknown]): boolean {
  if (FLUX_2_INPUT.test(name)) return !Buffer.from(String(value), "latin1").subarray(0, 8).equals(PNG);
  return !KNOWN_TO_FLUX_2.has(name);
}

/** Workers AI's runs, by what each model accepts and returns. */
function cloudflare(model: string, request: ReceivedRequest): VendorResponse {
  if (model.includes("/whisper")) return transcript(model, request);
  const { body, headers } = request;
  if (typeof body["prompt"] !== "string") return cloudflareRefusal("prompt is required");
  const isForm = (headers["content-type"] ?? "").startsWith("multipart/form-data");
  if (model.includes("/flux-2-") !== isForm) return cloudflareRefusal(isForm ? "no form expected" : "form expected");
  const stranger = isForm ? Object.entries(body).find(isStranger) : undefined;
  if (stranger !== undefined) return cloudflareRefusal(`${stranger[0]} is unknown`);
  if (model.includes("/stable-diffusion") || model.includes("/phoenix"))
    return { status: 200, type: "image/png", body: PNG };
  return result({ image: PNG.toString("base64") });
}

const PNG_DATA = /^data:image\/png;base64,iVBORw0KGgo=$/;

/** Image editing models need images, the others accept none. */
const hasRightImages = (model: unknown, images: readonly unknown[]): boolean =>
  /edit|i2i/.test(String(model))
    ? images.length > 0 && images.every((image) => PNG_DATA.test(String(image)))
    : images.length === 0;

const aliRefusal = (message: string): VendorResponse =>
  json({ code: "InvalidParameter", message, request_id: "req-1" }, 400);

function atOnce(body: JsonObject, parameters: JsonObject): VendorResponse {
  if (!/^(qwen-image|z-image|wan2\.[67])/.test(String(body["model"]))) return aliRefusal("Model not exist.");
  const [message] = (body["input"] as { messages?: unknown[] }).messages ?? [];
  if (!isObject(message) || textIn(message) === "") return aliRefusal("input.messages is missing");
  const parts = (message["content"] as JsonObject[]).filter((part) => "image" in part);
  if (
    !hasRightImages(
      body["model"],
      parts.map(({ image }) => image),
    )
  )
    return aliRefusal("input.messages.content.image");
  const count = Number(parameters["n"] ?? 1);
  const content = Array.from({ length: count }, (_, index) => ({ image: `https://bucket.example/${index}.png` }));
  return json({
    output: { choices: [{ finish_reason: "stop", message: { role: "assistant", content } }] },
    usage: { width: 1664, height: 928, image_count: count },
    request_id: "req-1",
  });
}

function ranked({ body }: ReceivedRequest): VendorResponse {
  const { input } = body;
  const isRight = isObject(input) && typeof input["query"] === "string" && Array.isArray(input["documents"]);
  if (!isRight) return aliRefusal("input is missing");
  const results = [{ index: 1, relevance_score: 0.9 }];
  return json({ output: { results }, usage: { total_tokens: 1000 }, request_id: "req-1" });
}

/** 24 kHz, one channel, two samples. */
const WAV = Buffer.from(
  "524946462800000057415645666d74201000000001000100c05d000080bb00000200100064617461" + "0400000001020304",
  "hex",
);
const AUDIO = "/kept/sound.wav";

/** The content at an address named by a response: public; callers send no key there. */
const kept = ({ headers }: ReceivedRequest): VendorResponse =>
  headers["authorization"] === undefined
    ? { status: 200, type: "audio/x-wav", body: WAV }
    : json({ message: "Only one auth mechanism allowed" }, 400);

/** DashScope's speech: the response contains the URL of the audio, or the audio itself for the synthesizer. */
function read({ body, headers }: ReceivedRequest, input: JsonObject, inResponse: boolean): VendorResponse {
  if (typeof input["text"] !== "string" || "messages" in input) return aliRefusal("input.text is missing");
  if (input["voice"] !== "Cherry") return aliRefusal("Voice is not supported.");
  if (String(body["model"]).startsWith("cosyvoice") !== inResponse) return aliRefusal("Model not exist.");
  const audio = inResponse
    ? { data: Buffer.from("fffb9000", "hex").toString("base64"), url: "" }
    : { data: "", url: `http://${headers["host"]}${AUDIO}` };
  const usage = { input_tokens: 0, output_tokens: 0, characters: 20 };
  return json({ request_id: "req-1", output: { finish_reason: "stop", audio: { id: "audio_1", ...audio } }, usage });
}

function begun(service: string, { model }: JsonObject, input: JsonObject): VendorResponse {
  const isEdit = String(model).includes("i2i");
  if (service !== `aigc/${isEdit ? "image" : "text"}2image/image-synthesis`) return aliRefusal("url error");
  if (!hasRightImages(model, (input["images"] ?? []) as unknown[])) return aliRefusal("input.images");
  if (!/^wan(x|2\.[0-5])/.test(String(model))) return aliRefusal("Model not exist.");
  if (typeof input["prompt"] !== "string") return aliRefusal("input.prompt is missing");
  return json({ output: { task_status: "PENDING", task_id: "task-1" }, request_id: "req-1" });
}

/** DashScope's images: newer models respond immediately, older ones with tasks. Also its speech. */
function ali(service: string, request: ReceivedRequest): VendorResponse {
  const { body, headers } = request;
  if (service === "rerank/text-rerank/text-rerank") return ranked(request);
  const { input, parameters = {} } = body;
  if (!isObject(input) || !isObject(parameters)) return aliRefusal("input is missing");
  const { size } = parameters;
  if (size !== undefined && (typeof size !== "string" || !/^\d+\*\d+$/.test(size))) return aliRefusal("size");
  if (service === "audio/tts/SpeechSynthesizer") return read(request, input, true);
  if (/-tts/.test(String(body["model"]))) return read(request, input, false);
  const isTask = headers["x-dashscope-async"] === "enable";
  if (service === "aigc/multimodal-generation/generation" && !isTask) return atOnce(body, parameters);
  return isTask ? begun(service, body, input) : aliRefusal("url error");
}

function task(): VendorResponse {
  const results = [{ orig_prompt: "a cat", actual_prompt: "a white cat", url: "https://bucket.example/1.png" }];
  const output = { task_id: "task-1", task_status: "SUCCEEDED", results };
  return json({ request_id: "req-1", output, usage: { image_count: 1 } });
}

const HEX = ["fffb9000", "0102"];

/**
 * MiniMax's T2A: events with the audio in hexadecimal; the last one contains the whole audio again. Errors have status
 * 200.
 */
function synthesize({ body }: ReceivedRequest): VendorResponse {
  const { model, text, stream, voice_setting: voice, audio_setting: audio } = body;
  const refusal = (status_code: number, status_msg: string): VendorResponse =>
    json({ trace_id: "t1", base_resp: { status_code, status_msg } });
  if (!/^speech-(01|02|2\.\d)-/.test(String(model)) || typeof text !== "string") return refusal(2013, "invalid params");
  if (stream !== true || !isObject(audio) || audio["format"] === "wav") return refusal(2013, "invalid params, stream");
  if (!isObject(voice) || voice["voice_id"] !== "Wise_Woman") return refusal(2054, "voice id not exist");
  const base_resp = { status_code: 0, status_msg: "" };
  const pieces = HEX.map((audio) => ({ data: { audio: audio, status: 1, ced: "" }, trace_id: "t1", base_resp }));
  const last = { data: { audio: HEX.join(""), status: 2 }, extra_info: { usage_characters: 26 }, base_resp };
  const events = [...pieces, last].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return { status: 200, type: "text/event-stream", body: events.join("") };
}

/**
 * Images and speech of Workers AI, images, speech and rerank of DashScope, speech of MiniMax in their wire formats;
 * undefined for calls of other providers.
 */
export function vendorResponse(method: string | undefined, path: string, request: ReceivedRequest) {
  const isKnown = path.startsWith("/client/v4/") || path.startsWith(ALI) || path === TASK || path === T2A;
  if (path === AUDIO) return kept(request);
  if (!isKnown) return undefined;
  if (request.headers["authorization"] !== "Bearer up-key") return json({ message: "Authentication error" }, 401);
  if (method === "GET") return path === TASK ? task() : undefined;
  if (path === T2A) return synthesize(request);
  const [, account, model] = RUN.exec(path) ?? [];
  if (model !== undefined) {
    return account === "acc1" ? cloudflare(model, request) : json({ success: false, errors: [] }, 404);
  }
  return path.startsWith(ALI) ? ali(path.slice(ALI.length), request) : undefined;
}
