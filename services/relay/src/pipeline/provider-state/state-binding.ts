import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RoutedChannel, Tiers } from "../../core/call/channel.ts";
import type { StoredFiles } from "../../core/call/dialect.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asText } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { patchBody } from "../../core/call/call-body.ts";
import { hasEndpoint } from "../prepare/serving-provider.ts";
import { isSameOwner, openInput, type OpenedItem, writeItem } from "./opened-input.ts";
import type { ContextTokens } from "./context-tokens.ts";
import { type OpenedResource, openResources, writeResources } from "./opened-resources.ts";
import { createFileSeal, openFiles } from "./sealed-files.ts";
import { createResponseSeal } from "./sealed-responses.ts";
import type { OpenedState, StateCodec, StateOwner } from "./state-codec.ts";

type Deps = {
  readonly codec: StateCodec;
  readonly options: () => OptionsInForce;
  readonly table: () => RoutingTable;
  readonly contextTokens: ContextTokens;
};

/** A call with its upstream's own ids in the body, and the channels that may serve it. */
type Bound = { readonly call: RelayCall; readonly tiers: Tiers };

const PREVIOUS = "previous_response_id";

/** The same for ids that are forged, truncated, of other users, or of removed accounts: nothing can be probed. */
const lost = (param: string): RelayError =>
  new RelayError(
    "previous_response_not_found",
    `${param}: not found; send the whole conversation instead (without encrypted reasoning)`,
    { param },
  );

/** The same for ids of other resources. */
const notFound = (param: string): RelayError => new RelayError("not_found", `${param}: not found`, { param });

/** The caller's own conversation, at an account that does not serve the model. */
const keptElsewhere = (param: string): RelayError => {
  const why = "is kept by a provider that does not serve this model";
  const what = "make one for it with POST /v1/conversations?model=<model>";
  return new RelayError("not_found", `${param}: ${why}; ${what}`, { param });
};

/** The account as a channel with one key; undefined if it is not among these channels. */
function findAccount(codec: StateCodec, channels: readonly RoutedChannel[], owner: StateOwner) {
  const channel = channels.find(({ id }) => id === owner.channelId);
  const key = channel?.keys.find((one) => codec.getKeyName(one) === owner.keyName);
  return channel && key !== undefined ? { ...channel, keys: [key] } : undefined;
}

/** The call with its input as the bound account knows it. */
function withOwnIds(call: RelayCall, values: Readonly<Record<string, unknown>>): RelayCall {
  if (Object.keys(values).length === 0) return call;
  return patchBody(call, values);
}

function openPrevious(codec: StateCodec, userId: number, call: RelayCall): OpenedState | undefined {
  const id = call.body[PREVIOUS] ?? undefined;
  if (id === undefined || id === "") return undefined;
  const opened = codec.openId(userId, asText(id) ?? "");
  if (!opened) throw lost(PREVIOUS);
  return opened;
}

/** What an account must have for the call, and the error of a call that no account can serve. */
type Requirement = { readonly owner: StateOwner; readonly fail: () => RelayError };

function listRequirements(
  previous: OpenedState | undefined,
  items: readonly OpenedItem[],
  resources: readonly OpenedResource[],
): Requirement[] {
  const requireState = (state: OpenedState | undefined, fail: () => RelayError): Requirement[] =>
    state ? [{ owner: state.owner, fail }] : [];
  return [
    ...requireState(previous, () => lost(PREVIOUS)),
    ...items.flatMap(({ needsId, id, approval, content, isReasoning, path }) => [
      ...(needsId ? [id, approval] : []).flatMap((state) => requireState(state, () => lost(`${path}.id`))),
      ...(isReasoning ? [] : requireState(content, () => lost(`${path}.encrypted_content`))),
    ]),
    ...resources.flatMap(({ state, path }) => requireState(state, () => notFound(path))),
  ];
}

/** The account that stores what the call refers to; undefined if it refers to nothing. Throws if there are several. */
function findRequired(
  previous: OpenedState | undefined,
  items: readonly OpenedItem[],
  resources: readonly OpenedResource[],
): Requirement | undefined {
  const unknown = items.find(({ isUnknown }) => isUnknown);
  if (unknown) throw lost(`${unknown.path}.id`);
  const lostItem = items.find(({ isContentLost, isReasoning }) => isContentLost && !isReasoning);
  if (lostItem) throw lost(`${lostItem.path}.encrypted_content`);
  const foreign = resources.find(({ state }) => !state);
  if (foreign) throw notFound(foreign.path);
  const [first, ...others] = listRequirements(previous, items, resources);
  const other = first && others.find(({ owner }) => !isSameOwner(owner, first.owner));
  if (other) throw other.fail();
  return first;
}

/** The fields of the body that hold ids of resources, where opening these changed them. */
const RESOURCE_FIELDS = ["conversation", "prompt", "tools"] as const;

/** The fields of the body that change, as the bound account knows them. */
function getOwnValues(
  { codec, userId, body }: { readonly codec: StateCodec; readonly userId: number; readonly body: Json },
  opened: { readonly previous: OpenedState | undefined; readonly items: readonly OpenedItem[] },
  owner: StateOwner | undefined,
): Json {
  const own = writeResources(codec, userId, body, owner);
  const { previous, items } = opened;
  const isChanged =
    own["input"] !== body["input"] ||
    items.some(({ id, content, approval, isContentLost }) => id || content || approval || isContentLost);
  const input = asList(own["input"]);
  const changed = RESOURCE_FIELDS.filter((name) => own[name] !== body[name]);
  return {
    ...Object.fromEntries(changed.map((name) => [name, own[name]])),
    ...(previous ? { [PREVIOUS]: previous.value } : {}),
    ...(isChanged ? { input: items.flatMap((item, at) => writeItem({ ...item, item: input[at] }, owner)) } : {}),
  };
}

/** Binds a call with the ids of containers and files to the account that keeps them, and seals those of its response. */
function bindFiles(codec: StateCodec, files: StoredFiles, call: RelayCall, tiers: Tiers): Bound {
  const { userId } = call.admitted.caller.known.token;
  const fail = (path: string): never => {
    throw notFound(path);
  };
  const { owner, requiredAt, values } = openFiles({ codec, userId, files }, call.body, fail);
  const account = owner && findAccount(codec, tiers.flat(), owner);
  if (requiredAt !== undefined && !account) fail(requiredAt);
  const sealing: RelayCall = {
    ...call,
    sealing: (choice) => createFileSeal({ codec, userId, files }, choice),
    ...(account ? { isBound: true } : {}),
  };
  return { call: withOwnIds(sealing, values), tiers: account ? [[account]] : tiers };
}

/**
 * Binds responses calls to the account that keeps their state (`previous_response_id`, referenced items, conversations, containers,
 * files, encrypted content), for all attempts, and seals what the account mints for the caller. Encrypted reasoning of an account that
 * serves another model is omitted, since no other model reads it; that of a removed account, or which was not
 * sealed for this caller, follows `StateLostPolicy`. Calls of other dialects are bound by their containers and files. Throws previous_response_not_found and not_found.
 */
export function createStateBinding({ codec, options, table, contextTokens }: Deps) {
  const isInUse = (owner: StateOwner): boolean => {
    const channel = table().byId(owner.channelId);
    return channel !== undefined && findAccount(codec, [channel], owner) !== undefined;
  };

  /** The error of a call that the required account cannot serve. */
  const refuse = ({ owner, fail }: Requirement, resources: readonly OpenedResource[]): RelayError => {
    const kept = resources.find(({ path, state }) => state && path.startsWith("conversation"));
    return kept && isInUse(owner) ? keptElsewhere(kept.path) : fail();
  };

  /** Throws for the first encrypted item that no account can read any more, unless such items are omitted. */
  const checkLost = (items: readonly OpenedItem[]): void => {
    if (options().text("StateLostPolicy") === "strip") return;
    const item = items.find(({ isContentLost, content }) => isContentLost || (content && !isInUse(content.owner)));
    if (item) throw lost(`${item.path}.encrypted_content`);
  };

  return function bindState(call: RelayCall, tiers: Tiers): Bound {
    const { storedFiles: files } = call.dialect;
    if (files?.isUsed(call.body)) return bindFiles(codec, files, call, tiers);
    if (!call.dialect.refersToItems) return { call, tiers };
    const { userId } = call.admitted.caller.known.token;
    const channels = tiers.flat().filter((channel) => hasEndpoint(channel, call));
    const previous = openPrevious(codec, userId, call);
    const items = openInput(codec, userId, call.body);
    const resources = openResources(codec, userId, call.body);
    const required = findRequired(previous, items, resources);
    const encrypted = items.flatMap(({ content }) => (content ? [content.owner] : []));
    const readers = required ? [required.owner] : encrypted.toReversed();
    const account = readers.map((owner) => findAccount(codec, channels, owner)).find((one) => one !== undefined);
    if (required && !account) throw refuse(required, resources);
    // Channels without the endpoint ignore encrypted reasoning.
    if (channels.length > 0) checkLost(items);
    const [key] = account?.keys ?? [];
    const owner = account && key !== undefined ? codec.getOwner({ channel: account, key }) : undefined;
    const continued = previous && asText(call.body[PREVIOUS]);
    const sealing: RelayCall = {
      ...call,
      sealing(choice) {
        const seal = createResponseSeal(codec, userId, choice, contextTokens.keep);
        return call.recordSealed?.(seal) ?? seal;
      },
      sealSummary: (summary) => codec.sealSummary(userId, summary),
      ...(continued === undefined ? {} : { readContextTokens: () => contextTokens.find(continued) }),
      ...(account ? { isBound: true } : {}),
    };
    const values = getOwnValues({ codec, userId, body: call.body }, { previous, items }, owner);
    return { call: withOwnIds(sealing, values), tiers: account ? [[account]] : tiers };
  };
}

export type BindState = ReturnType<typeof createStateBinding>;
