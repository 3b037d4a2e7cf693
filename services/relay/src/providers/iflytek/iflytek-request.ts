import type { ChatRequest, ContentPart, Json } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { refuseManyCandidates, getText } from "../../core/chat/messages.ts";
import { plainTurns } from "../shared/plain-text.ts";
import type { Target } from "../contract/target.ts";
import { readIflytekKey } from "./iflytek-sign.ts";
import { getDomain, supportsFunctions, versionFor } from "./iflytek-versions.ts";

const TEMPERATURE_MIN = 0.01;
/** www.xfyun.cn/doc/spark/Web.html, max_tokens. */
const MAX_TOKENS_MAX = 8_192;
const MAX_TOKENS_BY_DOMAIN: Readonly<Record<string, number>> = { lite: 4_096, "pro-128k": 4_096 };
const TOP_K_MAX = 6;
const USER_ID_LENGTH_MAX = 32;

/** Older versions have no system message: it is sent at the beginning of the conversation. */
function writeTexts(system: readonly ContentPart[], { messages }: ChatRequest, version: string): Json[] {
  const turns = plainTurns(messages).map(({ role, text }) => ({ role, content: text }));
  const prompt = getText(system, "\n\n");
  if (prompt === "") return turns;
  if (supportsFunctions(version)) return [{ role: "system", content: prompt }, ...turns];
  return [{ role: "user", content: prompt }, { role: "assistant", content: "OK" }, ...turns];
}

function writeFunctions({ tools, toolChoice }: ChatRequest, version: string): Json | undefined {
  if (!tools || tools.length === 0 || toolChoice?.type === "none" || !supportsFunctions(version)) return undefined;
  return { text: tools.map(({ name, description, parameters }) => compact({ name, description, parameters })) };
}

/** The single message that a call sends. */
export function buildIflytekBody(request: ChatRequest, target: Target): Json {
  refuseManyCandidates(request);
  const version = versionFor(target);
  const { temperature, maxOutputTokens, topK, user } = request;
  const tokensMax = MAX_TOKENS_BY_DOMAIN[getDomain(version)] ?? MAX_TOKENS_MAX;
  return {
    header: compact({ app_id: readIflytekKey(target.key).appId, uid: user?.slice(0, USER_ID_LENGTH_MAX) }),
    parameter: {
      chat: compact({
        domain: getDomain(version),
        temperature: temperature === undefined ? undefined : Math.min(Math.max(temperature, TEMPERATURE_MIN), 1),
        max_tokens: maxOutputTokens === undefined ? undefined : Math.min(maxOutputTokens, tokensMax),
        top_k: topK === undefined ? undefined : Math.min(Math.max(topK, 1), TOP_K_MAX),
      }),
    },
    payload: compact({
      message: { text: writeTexts(request.system, request, version) },
      functions: writeFunctions(request, version),
    }),
  };
}
