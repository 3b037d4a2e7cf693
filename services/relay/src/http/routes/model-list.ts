import type { IncomingMessage } from "node:http";
import { type ModelAliases, resolveAlias } from "@turnpike/contract/options/model-routes";
import { findModelPrice } from "@turnpike/contract/pricing/price-tables";
import { isTaskModel } from "@turnpike/contract/pricing/task-price";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { getPriceTables } from "../../accounting/holds/meters/call-price.ts";
import type { Admit } from "../../admission/admission.ts";
import type { Caller } from "../../core/call/caller.ts";
import { canCallModel, getAliases } from "../../admission/model-access.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { createModelFacts, type WriteModelFacts } from "./model-facts.ts";
import type { ModelsRoute } from "./route-table.ts";

type ModelListForm = "openai" | "anthropic" | "google";

/** A fixed creation date for models of unknown age: 2021-07-20, the value existing clients expect. */
const CREATED_SECONDS = 1_626_777_600;
const CREATED_AT = new Date(CREATED_SECONDS * 1000).toISOString();

/** Models a caller may call: those of the token's group (else the user's), restricted by the token's own list. */
export function listModels(caller: Caller, table: RoutingTable): string[] {
  const { token } = caller.known;
  const group = token.group === "" ? caller.principal.group : token.group;
  return table
    .models(group)
    .filter((model) => canCallModel(caller.known, table, model))
    .toSorted();
}

/**
 * Models of the list that some channel can charge. The others are refused when called, until an administrator sets a
 * price. Tasks have a default price.
 */
export function listPricedModels(caller: Caller, table: RoutingTable, options: OptionsInForce): string[] {
  const tables = getPriceTables(options);
  const group = caller.known.token.group === "" ? caller.principal.group : caller.known.token.group;
  const { acceptUnsetModelRatioModel: acceptsUnset } = caller.principal;
  const models = listModels(caller, table).filter(
    (model) =>
      isTaskModel(model) ||
      table
        .tiers(group, model)
        .flat()
        .some((channel) => findModelPrice(tables, model, getUpstreamModel(channel, model), acceptsUnset) !== undefined),
  );
  return [...models, ...listAliases(models, getAliases(options, caller.known.routes))];
}

/** The aliases of listed models. */
function listAliases(models: readonly string[], aliases: ModelAliases): string[] {
  const names = Object.keys(aliases).filter((name) => models.includes(resolveAlias(aliases, name)));
  return names.filter((name) => !models.includes(name));
}

const openAiModel = (id: string, writeFacts: WriteModelFacts) => ({
  ...writeFacts(id),
  id,
  object: "model",
  created: CREATED_SECONDS,
  owned_by: "turnpike",
  permission: [],
  root: id,
  parent: null,
});
const anthropicModel = (id: string) => ({ type: "model", id, display_name: id, created_at: CREATED_AT });
const googleModel = (id: string) => ({
  name: `models/${id}`,
  displayName: id,
  supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
});

/**
 * The list in the caller's format: OpenAI's with OpenRouter's fields (and `success`, which existing consoles read),
 * Anthropic's or Google's.
 */
function writeModelList(models: readonly string[], form: ModelListForm, writeFacts: WriteModelFacts): unknown {
  if (form === "google") return { models: models.map(googleModel) };
  if (form === "anthropic") {
    return {
      data: models.map(anthropicModel),
      has_more: false,
      first_id: models[0] ?? null,
      last_id: models.at(-1) ?? null,
    };
  }
  return { object: "list", success: true, data: models.map((id) => openAiModel(id, writeFacts)) };
}

/** One model in the caller's format; model_not_found (with status 404) if the caller may not call it. */
function writeModel(
  models: readonly string[],
  id: string,
  { form, writeFacts }: { readonly form: ModelListForm; readonly writeFacts: WriteModelFacts },
): unknown {
  if (!models.includes(id))
    throw new RelayError("model_not_found", `the model ${id} does not exist`, { param: "model" });
  if (form === "google") return googleModel(id);
  return form === "anthropic" ? anthropicModel(id) : openAiModel(id, writeFacts);
}

/** Google's clients use `v1` as well; they are recognized by where they send their key. */
function getListForm(version: string, { headers }: IncomingMessage): ModelListForm {
  if (version === "v1beta" || headers["x-goog-api-key"] !== undefined) return "google";
  return headers["anthropic-version"] === undefined ? "openai" : "anthropic";
}

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
};

/** Serves the list of the models that the caller can call, or one of them. */
export function createModelsRoute(deps: Deps) {
  return async function serveModels(
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    { version, model }: ModelsRoute,
  ): Promise<void> {
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const form = getListForm(version, request);
    const models = listPricedModels(caller, deps.table(), deps.options());
    const factsOf = createModelFacts(caller, deps.table(), deps.options());
    const aliases = getAliases(deps.options(), caller.known.routes);
    const writeFacts: WriteModelFacts = (id) => factsOf(resolveAlias(aliases, id));
    const body =
      model === undefined ? writeModelList(models, form, writeFacts) : writeModel(models, model, { form, writeFacts });
    sendJson(exchange, 200, JSON.stringify(body));
  };
}
