import { anthropic } from "../anthropic/anthropic.ts";
import { aiProxy } from "../ai-proxy/ai-proxy.ts";
import { baidu } from "../baidu/baidu.ts";
import { bedrock } from "../bedrock/bedrock.ts";
import { cohere } from "../cohere/cohere.ts";
import { dify } from "../dify/dify.ts";
import { gemini } from "../gemini/gemini.ts";
import { jina } from "../embedding-vendors/jina.ts";
import { moka } from "../embedding-vendors/moka.ts";
import { openAiCompatible } from "../formats/openai/openai-compatible-provider.ts";
import { withResponsesOnlyModels } from "../openai/over-responses.ts";
import { iflytek } from "../iflytek/iflytek.ts";
import { OPENAI_COMPATIBLE } from "./openai-compatible.ts";
import { palm } from "../palm/palm.ts";
import type { Provider } from "../contract/provider.ts";
import { tencent } from "../tencent/tencent.ts";
import { vertex } from "../vertex/vertex.ts";
import { zhipuV3 } from "../zhipu-v3/zhipu-v3.ts";

/** Adding a provider is one line here; one with OpenAI's format is a row in openai-compatible.ts instead. */
const PROVIDERS: ReadonlyMap<number, Provider> = new Map<number, Provider>([
  ...OPENAI_COMPATIBLE.map((like) => [like.type, withResponsesOnlyModels(like.type, openAiCompatible(like))] as const),
  [11, palm],
  [14, anthropic],
  [15, baidu],
  [16, zhipuV3],
  [18, iflytek],
  [21, aiProxy],
  [23, tencent],
  [24, gemini],
  [33, bedrock],
  [34, cohere],
  [37, dify],
  [38, jina],
  [41, vertex],
  [44, moka],
]);

/** The provider of a channel type; undefined for types this version does not serve. */
export const findProvider = (channelType: number): Provider | undefined => PROVIDERS.get(channelType);
