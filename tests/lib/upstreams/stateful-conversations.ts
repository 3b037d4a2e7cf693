type Json = Record<string, unknown>;
type Reply = { readonly status: number; readonly body: Json };

const asItems = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const missing = (what: string): Reply => ({
  status: 404,
  body: { error: { message: `${what} not found`, type: "invalid_request_error", code: null, param: null } },
});

/** The conversations of an account, with their items by id; `mint` makes ids that the account knows. */
export function createStatefulConversations(mint: (prefix: string) => string) {
  const conversations = new Map<string, { metadata: unknown; items: Map<string, Json> }>();

  const addItems = (items: Map<string, Json>, given: unknown): Json[] =>
    asItems(given).map((item) => {
      const id = mint("msg");
      const added = { type: "message", status: "completed", ...item, id };
      items.set(id, added);
      return added;
    });
  const list = (data: readonly Json[]): Json => ({
    object: "list",
    data,
    first_id: data[0]?.["id"] ?? null,
    last_id: data.at(-1)?.["id"] ?? null,
    has_more: false,
  });

  return {
    has: (id: unknown): boolean => conversations.has(String(id)),
    /** The reply to a request below `/v1/conversations`. */
    serve(method: string, path: string, body: Json): Reply {
      const [, id, action, itemId] = /^\/v1\/conversations(?:\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?)?$/.exec(path) ?? [];
      if (id === undefined) {
        const items = new Map<string, Json>();
        addItems(items, body["items"]);
        const made = mint("conv");
        conversations.set(made, { metadata: body["metadata"] ?? {}, items });
        return { status: 200, body: { id: made, object: "conversation", metadata: body["metadata"] ?? {} } };
      }
      const found = conversations.get(id);
      if (!found) return missing(id);
      const itself = (): Reply => ({ status: 200, body: { id, object: "conversation", metadata: found.metadata } });
      if (action === undefined) {
        if (method === "POST") found.metadata = body["metadata"];
        if (method !== "DELETE") return itself();
        conversations.delete(id);
        return { status: 200, body: { id, object: "conversation.deleted", deleted: true } };
      }
      if (itemId === undefined)
        return {
          status: 200,
          body: list(method === "POST" ? addItems(found.items, body["items"]) : [...found.items.values()]),
        };
      const item = found.items.get(itemId);
      if (!item) return missing(itemId);
      if (method !== "DELETE") return { status: 200, body: item };
      found.items.delete(itemId);
      return itself();
    },
  };
}
