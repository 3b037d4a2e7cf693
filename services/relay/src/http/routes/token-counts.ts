import type { IncomingMessage } from "node:http";
import type { Admit } from "../../admission/admission.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asObject, parseJson } from "../../core/chat/json.ts";
import { toArray } from "../../dialects/gemini-generate/gemini-content.ts";
import { checkChatBody, requireList } from "../../dialects/shared/fields.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { promptText } from "../../accounting/tokens/token-estimate.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { readBody } from "../server/request-body.ts";
import { listModels } from "./model-list.ts";
import type { CountForm, CountRoute } from "./route-table.ts";

export type Counted = { readonly model: string; readonly body: Json };

/** Google callers may wrap the whole generateContent request. */
function readGoogle(body: Json): Json {
  const call = asObject(body["generateContentRequest"]) ?? body;
  if (requireList(toArray(call["contents"]), "contents").length === 0) {
    throw new RelayError("invalid_request", "contents: must not be empty", { param: "contents" });
  }
  return call;
}

/** The content to count. Throws invalid_request naming the invalid field. */
export function readCount(text: string, form: CountForm, named: string | undefined): Counted {
  const parsed = asObject(parseJson(text));
  if (!parsed) throw new RelayError("invalid_request", "the request body must be a JSON object");
  if (form === "google") return { model: named ?? "", body: readGoogle(parsed) };
  const body = checkChatBody(parsed);
  return { model: String(body["model"]), body };
}

/** Counts a prompt locally, off the event loop: it is free for the caller and not sent upstream. */
export async function countTokens(
  { model, body }: Counted,
  form: CountForm,
  tokenizer: Pick<Tokenizer, "count">,
): Promise<unknown> {
  const { text, extraTokens } = promptText(body, model);
  const [counted = 0] = await tokenizer.count([text]);
  const tokens = counted + extraTokens;
  return form === "google" ? { totalTokens: tokens } : { input_tokens: tokens };
}

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly table: () => RoutingTable;
  readonly tokenizer: Tokenizer;
  readonly bodyBytesMax: number;
};

/** Serves token counts for the models that the caller may call. */
export function createCountRoute(deps: Deps) {
  return async function serveCount(
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    { form, model }: CountRoute,
  ): Promise<void> {
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const counted = readCount(await readBody(request, deps.bodyBytesMax), form, model);
    if (!listModels(caller, deps.table()).includes(counted.model))
      throw new RelayError("model_not_found", `the model ${counted.model} does not exist`, { param: "model" });
    sendJson(exchange, 200, JSON.stringify(await countTokens(counted, form, deps.tokenizer)));
  };
}
