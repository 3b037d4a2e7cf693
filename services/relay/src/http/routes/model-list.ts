import type { IncomingMessage } from "node:http";
import type { Admit } from "../../admission/admission.ts";
import type { Caller } from "../../core/call/caller.ts";
import { canCallModel } from "../../admission/model-access.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
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

const openAiModel = (id: string) => ({
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
 * The list in the caller's format: OpenAI's (with `success`, which existing consoles read), Anthropic's or Google's.
 */
function writeModelList(models: readonly string[], form: ModelListForm): unknown {
  if (form === "google") return { models: models.map(googleModel) };
  if (form === "anthropic") {
    return {
      data: models.map(anthropicModel),
      has_more: false,
      first_id: models[0] ?? null,
      last_id: models.at(-1) ?? null,
    };
  }
  return { object: "list", success: true, data: models.map(openAiModel) };
}

/** One model in the caller's format; model_not_found (with status 404) if the caller may not call it. */
function writeModel(models: readonly string[], id: string, form: ModelListForm): unknown {
  if (!models.includes(id))
    throw new RelayError("model_not_found", `the model ${id} does not exist`, { param: "model" });
  if (form === "google") return googleModel(id);
  return form === "anthropic" ? anthropicModel(id) : openAiModel(id);
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
};

/** Serves the list of the caller's models, or one of them. */
export function createModelsRoute(deps: Deps) {
  return async function serveModels(
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    { version, model }: ModelsRoute,
  ): Promise<void> {
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const form = getListForm(version, request);
    const models = listModels(caller, deps.table());
    const body = model === undefined ? writeModelList(models, form) : writeModel(models, model, form);
    sendJson(exchange, 200, JSON.stringify(body));
  };
}
