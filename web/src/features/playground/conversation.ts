/** The state of a reply: requested, streaming, complete, or failed. */
export type ReplyState = "loading" | "incomplete" | "complete" | "error";

export type Turn = {
  readonly id: number;
  readonly role: "user" | "assistant";
  readonly content: string;
  readonly reasoning: string;
  readonly state: ReplyState;
  /** Of a complete reply: the id of its call, by which its cost is found. */
  readonly requestId?: string | undefined;
};

export type ConversationAction =
  | { readonly type: "sent"; readonly id: number; readonly text: string }
  | { readonly type: "retried"; readonly id: number; readonly replyId: number }
  | { readonly type: "edited"; readonly id: number; readonly text: string }
  | { readonly type: "removed"; readonly id: number }
  | { readonly type: "came"; readonly id: number; readonly content: string; readonly reasoning: string }
  | { readonly type: "ended"; readonly id: number; readonly requestId?: string | undefined }
  | { readonly type: "failed"; readonly id: number; readonly message: string }
  | { readonly type: "cleared" };

const turn = (id: number, role: Turn["role"], content: string): Turn => ({
  id,
  role,
  content,
  reasoning: "",
  state: role === "user" ? "complete" : "loading",
});

const changed = (turns: readonly Turn[], id: number, change: (turn: Turn) => Turn): readonly Turn[] =>
  turns.map((one) => (one.id === id ? change(one) : one));

/** The turns after an event. A reply has the id after its question's; a retry drops what came after the question. */
export function converse(turns: readonly Turn[], action: ConversationAction): readonly Turn[] {
  switch (action.type) {
    case "sent":
      return [...turns, turn(action.id, "user", action.text), turn(action.id + 1, "assistant", "")];
    case "retried": {
      const at = turns.findIndex(({ id }) => id === action.id);
      const end = turns[at]?.role === "user" ? at + 1 : at;
      return [...turns.slice(0, end), turn(action.replyId, "assistant", "")];
    }
    case "edited":
      return changed(turns, action.id, (one) => ({ ...one, content: action.text, state: "complete" }));
    case "removed":
      return turns.filter(({ id }) => id !== action.id);
    case "came":
      return changed(turns, action.id, (one) => ({
        ...one,
        content: one.content + action.content,
        reasoning: one.reasoning + action.reasoning,
        state: "incomplete",
      }));
    case "ended":
      return changed(turns, action.id, (one) => ({ ...one, state: "complete", requestId: action.requestId }));
    case "failed":
      return changed(turns, action.id, (one) => ({
        ...one,
        content: one.content === "" ? action.message : `${one.content}\n\n${action.message}`,
        state: "error",
      }));
    case "cleared":
      return [];
  }
}

/** The messages sent to the model: the system prompt, and the turns that did not fail. */
export function toChatMessages(turns: readonly Turn[], systemPrompt: string): { role: string; content: string }[] {
  const message = turns.filter(({ state, content }) => state !== "error" && content !== "");
  const system = systemPrompt.trim() === "" ? [] : [{ role: "system", content: systemPrompt }];
  return [...system, ...message.map(({ role, content }) => ({ role, content }))];
}
