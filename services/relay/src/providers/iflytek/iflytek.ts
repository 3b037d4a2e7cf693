import { readFailure, statusFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { buildIflytekBody } from "./iflytek-request.ts";
import { signIflytek } from "./iflytek-sign.ts";
import { newIflytekStreamReader } from "./iflytek-stream-reader.ts";
import { pathFor, versionFor } from "./iflytek-versions.ts";

const BASE_URL = "wss://spark-api.xf-yun.com";

/** http is rewritten to ws: the channel form accepts only http URLs. */
function address(target: Target): Endpoint {
  const base = (target.baseUrl || BASE_URL).replace(/^http/, "ws");
  return { url: base + pathFor(versionFor(target)), headers: {} };
}

/** iFlytek Spark: one signed WebSocket per call. */
export const iflytek: Provider = {
  name: "iflytek",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildIflytekBody(request, target) }),
  address,
  auth: { sign: signIflytek },
  streaming: { respondsInEvents: true },
  parseResponse: () => {
    throw unreadableResponse();
  },
  newStreamReader: newIflytekStreamReader,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
};
