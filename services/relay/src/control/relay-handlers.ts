import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayServiceServer, TestChannelResponse } from "@turnpike/proto/relay/v1/relay_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { ChatRequest } from "../chat/chat.ts";
import { targetOf, providerSettings } from "../calls/prepare-request.ts";
import { attemptWhole } from "../calls/whole-attempt.ts";
import { RelayError } from "../errors/relay-error.ts";
import { providerOf } from "../providers/index.ts";
import { toRoutedChannel } from "../routing/routing-table.ts";
import { type OnCancel, receiveWhole, type UpstreamClient } from "../upstream/upstream-client.ts";

type Deps = { readonly client: UpstreamClient; readonly options: () => OptionsInForce; readonly now: () => number };

const TEST_TIMEOUT_MS = 45_000;
const LIST_TIMEOUT_MS = 15_000;
const LIST_BYTES_MAX = 8 * 1024 * 1024;

/** How many tokens a test may produce; thinking models spend some before the first word. */
function testTokensMax(model: string): number {
  if (model.includes("gemini")) return 300;
  if (model.includes("thinking")) return 50;
  return 10;
}

const testRequest = (model: string): ChatRequest => ({
  model,
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  maxOutputTokens: testTokensMax(model),
});

const cancelAfter =
  (timeoutMs: number): OnCancel =>
  (cancel) =>
    void setTimeout(() => cancel(new Error("the answer took too long")), timeoutMs).unref();

function failedTest(error: unknown, timeMs: number): TestChannelResponse {
  if (!(error instanceof RelayError)) throw error;
  const { upstream } = error;
  return {
    success: false,
    message: error.message,
    timeMs,
    status: upstream?.code === "no_answer" ? 0 : error.status,
    errorCode: upstream?.code ?? error.code,
    errorType: upstream?.type ?? "",
  };
}

/** What the channel service asks of a relay: a test call to an upstream, and its model list. */
export function relayHandlers(deps: Deps): Handlers<RelayServiceServer> {
  return {
    async testChannel({ channel, model }) {
      const routed = channel && toRoutedChannel(channel);
      const provider = routed && providerOf(routed.type);
      if (!routed || !provider)
        throw new AppError("channel_type_unsupported", "no provider", {
          params: { type: String(channel?.channel?.type ?? 0) },
        });
      const target = targetOf({ channel: routed, key: routed.keys[0] ?? "" }, model, providerSettings(deps.options()));
      const { url, headers, json } = provider.buildRequest(testRequest(model), target);
      const body = JSON.stringify(routed.paramOverride ? { ...json, ...routed.paramOverride } : json);
      const request = {
        method: "POST" as const,
        url,
        headers,
        body,
        firstByteMs: TEST_TIMEOUT_MS,
        idleMs: TEST_TIMEOUT_MS,
      };
      const startedAtMs = deps.now();
      const elapsed = (): number => deps.now() - startedAtMs;
      try {
        await attemptWhole(
          deps,
          { provider, passThrough: false, request },
          routed.statusCodeMapping,
          cancelAfter(TEST_TIMEOUT_MS),
        );
        return { success: true, message: "", timeMs: elapsed(), status: 200, errorCode: "", errorType: "" };
      } catch (error) {
        return failedTest(error, elapsed());
      }
    },
    async fetchModels({ type, baseUrl, key }) {
      const provider = providerOf(type);
      if (!provider) throw new AppError("channel_type_unsupported", "no provider", { params: { type: String(type) } });
      const target = {
        channelType: type,
        baseUrl: baseUrl.replace(/\/+$/, ""),
        key,
        model: "",
        organization: "",
        other: "",
        callerHeaders: {},
        settings: providerSettings(deps.options()),
      };
      const { url, headers } = provider.modelList(target);
      const failed = (detail: string, cause?: unknown): AppError =>
        new AppError("fetch_models_failed", detail, { params: { detail }, cause });
      try {
        const answer = await receiveWhole(
          deps.client,
          { method: "GET", url, headers, body: undefined, firstByteMs: LIST_TIMEOUT_MS, idleMs: LIST_TIMEOUT_MS },
          { bytesMax: LIST_BYTES_MAX, onCancel: cancelAfter(LIST_TIMEOUT_MS) },
        );
        if (answer.status !== 200) throw failed(`HTTP ${answer.status}`);
        return { models: provider.parseModelList(JSON.parse(answer.body.toString("utf8"))) };
      } catch (error) {
        throw error instanceof AppError ? error : failed("upstream could not be read", error);
      }
    },
  };
}
