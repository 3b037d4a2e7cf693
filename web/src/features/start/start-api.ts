import { getChannelType } from "@turnpike/contract/api/channels/channel-types";
import { getDefaultModels } from "@turnpike/contract/api/models/default-models";
import {
  createChannel,
  fetchModels,
  refreshChannels,
  testChannel,
  unpricedModelsQuery,
} from "../../domain/channels/channels-api.ts";
import { createToken, refreshTokens } from "../../domain/tokens/tokens-api.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { chooseChatModel } from "../../domain/tokens/chat-model.ts";

export type Account = { readonly key: string; readonly type: number; readonly baseUrl: string };

/** A connected provider: its models, how many have a price, and the test's time or its error. */
export type Connected = {
  readonly name: string;
  readonly models: number;
  readonly priced: number;
  readonly test: { readonly seconds: number } | { readonly error: unknown };
};

/** Creates a channel with the models that the upstream lists, and tests it. */
export async function connect({ key, type, baseUrl }: Account, listsModels: boolean): Promise<Connected> {
  const listed = listsModels ? await fetchModels({ key, type, base_url: baseUrl }) : getDefaultModels(type);
  const models = [...new Set(listed)];
  const name = getChannelType(type)?.name ?? "";
  const testModel = chooseChatModel(models) ?? "";
  const { id } = await createChannel({
    name,
    type,
    key,
    base_url: baseUrl,
    models: models.join(","),
    group: "default",
    test_model: testModel,
  });
  const test = await testChannel(id, testModel).then(
    (seconds) => ({ seconds }),
    (error: unknown) => ({ error }),
  );
  await refreshChannels();
  const unpriced = new Set(await queryClient.fetchQuery({ ...unpricedModelsQuery, staleTime: 0 }));
  return { name, models: models.length, priced: models.filter((model) => !unpriced.has(model)).length, test };
}

/** Creates a token without a limit of its own and returns its key. */
export async function createFirstToken(name: string): Promise<string> {
  const { key } = await createToken({ name, unlimited_quota: true, allow_ips: "" });
  await refreshTokens();
  return key;
}

/** A response of the model API, with the id by which its log row is found. */
export type FirstResponse = { readonly text: string; readonly requestId: string };

type ChatBody = {
  readonly choices?: readonly { readonly message?: { readonly content?: string } }[];
  readonly error?: { readonly message?: string };
};

/** Makes one call as a client would, with the key; throws with the API's message. */
export async function callModel(key: string, model: string): Promise<FirstResponse> {
  const response = await fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Say hello in five words." }] }),
    signal: AbortSignal.timeout(120_000),
  });
  const body = (await response.json()) as ChatBody;
  if (!response.ok) throw new Error(body.error?.message ?? `HTTP ${response.status}`);
  return {
    text: body.choices?.[0]?.message?.content ?? "",
    requestId: response.headers.get("x-request-id") ?? "",
  };
}
