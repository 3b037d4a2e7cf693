import { readFailure, statusFailure } from "../failure.ts";
import { JSON_CONTENT } from "../headers.ts";
import type { Place, Provider, Target } from "../provider.ts";
import { newDifyStreamReader, parseDifyResponse } from "./dify-answer.ts";
import { buildDifyBody } from "./dify-request.ts";

const BASE_URL = "https://api.dify.ai";

const address = (target: Target): Place => ({
  url: `${(target.baseUrl || BASE_URL).replace(/\/v1$/, "")}/v1/chat-messages`,
  headers: { ...JSON_CONTENT, authorization: `Bearer ${target.key}` },
});

/** An app on Dify. The key chooses the app, the model's name is for the price only. */
export const dify: Provider = {
  name: "dify",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildDifyBody(request) }),
  address,
  parseResponse: parseDifyResponse,
  newStreamReader: newDifyStreamReader,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
  defaultModels: [],
};
