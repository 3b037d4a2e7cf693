import { asObject, asText } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import { getFailure, readFailure, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { baiduFailure, newBaiduStreamReader, parseBaiduResponse } from "./baidu-response.ts";
import { baiduEmbeddings } from "./baidu-embeddings.ts";
import { getSlug } from "./baidu-models.ts";
import { buildBaiduBody } from "./baidu-request.ts";
import { exchangeBaidu } from "./baidu-token.ts";

const BASE_URL = "https://aip.baidubce.com";

const getBase = ({ baseUrl }: Target): string => baseUrl || BASE_URL;

function getPlace(target: Target, service: "chat" | "embeddings"): Endpoint {
  const path = `/rpc/2.0/ai_custom/v1/wenxinworkshop/${service}/${encodeURIComponent(getSlug(target.model))}`;
  const token = encodeURIComponent(target.accessToken ?? "");
  return { url: `${getBase(target)}${path}?access_token=${token}`, headers: JSON_CONTENT };
}

const address = (target: Target): Endpoint => getPlace(target, "chat");

/** Chat errors, and those of the token request: `{error, error_description}`. */
function parseError(status: number, value: unknown): UpstreamFailure {
  const body = asObject(value) ?? {};
  const description = asText(body["error_description"]);
  if (description) return getFailure(description, { type: "authentication_error", code: asText(body["error"]) });
  return baiduFailure(body)?.upstream ?? readFailure(value) ?? statusFailure(status);
}

/** Baidu's Wenxin workshop, version 1 of its API. */
export const baidu: Provider = {
  name: "baidu",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildBaiduBody(request) }),
  address,
  auth: { tokenExchange: (target) => exchangeBaidu(target, getBase(target)) },
  parseResponse: parseBaiduResponse,
  newStreamReader: newBaiduStreamReader,
  endpoints: { "openai-embeddings": baiduEmbeddings((target) => getPlace(target, "embeddings"), parseError) },
  parseError,
};
