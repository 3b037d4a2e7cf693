import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { asObject, compact } from "../../core/chat/json.ts";
import { refuseManyCandidates, getText } from "../../core/chat/messages.ts";
import { type PlainTurn, plainTurns, userFirstAndLast } from "../shared/plain-text.ts";
import { readFailure, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { createZhipuSplitter, newZhipuStreamReader, parseZhipuResponse, zhipuFailure } from "./zhipu-v3-response.ts";
import { zhipuToken } from "./zhipu-v3-token.ts";

const BASE_URL = "https://open.bigmodel.cn";
const TOP_P = { min: 0.01, max: 0.99 } as const;
const TEMPERATURE_MIN = 0.01;

/** There is no system message: it is sent as a user turn, and a short assistant reply keeps the roles alternating. */
function writePrompt({ system, messages }: ChatRequest): Json[] {
  const prompt = getText(system, "\n\n");
  const head: PlainTurn[] =
    prompt === ""
      ? []
      : [
          { role: "user", text: prompt },
          { role: "assistant", text: "Okay" },
        ];
  return [...head, ...userFirstAndLast(plainTurns(messages))].map(({ role, text }) => ({ role, content: text }));
}

const within = (value: number | undefined, min: number, max: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(value, min), max);

function buildBody(request: ChatRequest): Json {
  refuseManyCandidates(request);
  return compact({
    prompt: writePrompt(request),
    temperature: within(request.temperature, TEMPERATURE_MIN, 1),
    top_p: within(request.topP, TOP_P.min, TOP_P.max),
    incremental: request.stream || undefined,
  });
}

function address(target: Target, stream: boolean): Endpoint {
  const path = `/api/paas/v3/model-api/${encodeURIComponent(target.model)}/${stream ? "sse-invoke" : "invoke"}`;
  return { url: (target.baseUrl || BASE_URL) + path, headers: JSON_CONTENT };
}

/** Zhipu's API version 3, with tokens signed by the key. */
export const zhipuV3: Provider = {
  name: "zhipu-v3",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target, request.stream), json: buildBody(request) }),
  address,
  auth: {
    sign: ({ url, headers }, { key }, nowMs) => ({
      url,
      headers: { ...headers, authorization: zhipuToken(key, nowMs) },
    }),
  },
  streaming: { newFrameSplitter: createZhipuSplitter },
  parseResponse: parseZhipuResponse,
  newStreamReader: newZhipuStreamReader,
  parseError: (status, body) =>
    zhipuFailure(asObject(body) ?? {})?.upstream ?? readFailure(body) ?? statusFailure(status),
};
