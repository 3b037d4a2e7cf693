import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import { readFailure, statusFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider, RequestCapability } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { newDifyStreamReader, parseDifyResponse } from "./dify-response.ts";
import { buildDifyBody, writeUploads } from "./dify-request.ts";

const BASE_URL = "https://api.dify.ai";

const getUrl = ({ baseUrl }: Target, path: string): string => `${(baseUrl || BASE_URL).replace(/\/v1$/, "")}/v1${path}`;
const bearer = ({ key }: Target) => ({ authorization: `Bearer ${key}` });

const address = (target: Target): Endpoint => ({
  url: getUrl(target, "/chat-messages"),
  headers: { ...JSON_CONTENT, ...bearer(target) },
});

/** Images sent with the call (docs.dify.ai: file upload); they belong to the call's user. */
const uploads: RequestCapability["uploads"] = {
  of: (request, target) =>
    writeUploads(request).map(({ headers, body }) => ({
      url: getUrl(target, "/files/upload"),
      headers: { ...headers, ...bearer(target) },
      body,
    })),
  read(body) {
    const id = asText(asObject(body)?.["id"]);
    if (!id) throw unreadableResponse();
    return id;
  },
};

/** Agents only stream ("Agent Chat App does not support blocking mode"), which the key does not show. */
const getFallbackBody: RequestCapability["getFallbackBody"] = (refusal, sentBody) =>
  /not support blocking/i.test(refusal)
    ? JSON.stringify({ ...asObject(parseExactJson(sentBody)), response_mode: "streaming" })
    : undefined;

/** An app on Dify. The key selects the app; the model's name only determines the price. */
export const dify: Provider = {
  name: "dify",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildDifyBody(request, target.uploaded) }),
  address,
  requests: { uploads, getFallbackBody },
  parseResponse: parseDifyResponse,
  newStreamReader: newDifyStreamReader,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
};
