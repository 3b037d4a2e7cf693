import { asObject, asText } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import { getFailure, readFailure, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { newTencentStreamReader, parseTencentResponse } from "./tencent-response.ts";
import { tencentEmbeddings } from "./tencent-embeddings.ts";
import { buildTencentBody } from "./tencent-request.ts";
import { signTencent } from "./tencent-sign.ts";

const BASE_URL = "https://hunyuan.tencentcloudapi.com";
const VERSION = "2023-09-01";

const getPlace = (target: Target, action: string): Endpoint => ({
  url: `${target.baseUrl || BASE_URL}/`,
  headers: { ...JSON_CONTENT, "x-tc-action": action, "x-tc-version": VERSION },
});

const address = (target: Target): Endpoint => getPlace(target, "ChatCompletions");

function parseError(status: number, body: unknown): UpstreamFailure {
  const error = asObject(asObject(asObject(body)?.["Response"])?.["Error"]);
  const message = asText(error?.["Message"]);
  if (!message) return readFailure(body) ?? statusFailure(status);
  return getFailure(message, { code: asText(error?.["Code"]) });
}

/** Tencent Hunyuan's own API. */
export const tencent: Provider = {
  name: "tencent",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildTencentBody(request, target.model) }),
  address,
  auth: { sign: signTencent },
  parseResponse: parseTencentResponse,
  newStreamReader: newTencentStreamReader,
  endpoints: { "openai-embeddings": tencentEmbeddings((target) => getPlace(target, "GetEmbedding"), parseError) },
  parseError,
};
