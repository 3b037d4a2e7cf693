import { useEffect, useReducer, useRef } from "react";
import { converse, type ConversationAction, toChatMessages, type Turn } from "./conversation.ts";
import type { PlaygroundSettings } from "./playground-settings.ts";
import { sendChat } from "./send-chat.ts";

export type Conversation = ReturnType<typeof useConversation>;

/** The turns of a conversation and their actions. At most one response is in progress. */
export function useConversation(settings: PlaygroundSettings, systemPrompt: string) {
  const [turns, dispatch] = useReducer(converse, []);
  const latest = useRef<readonly Turn[]>(turns);
  const running = useRef<AbortController | undefined>(undefined);
  const nextId = useRef(1);

  const act = (action: ConversationAction): void => {
    // The next step must see this one before React renders it.
    latest.current = converse(latest.current, action);
    dispatch(action);
  };
  const response = async (replyId: number): Promise<void> => {
    const control = new AbortController();
    running.current = control;
    const messages = toChatMessages(
      latest.current.filter(({ id }) => id !== replyId),
      systemPrompt,
    );
    try {
      const requestId = await sendChat({
        settings,
        messages,
        signal: control.signal,
        onPiece: ({ content, reasoning }) => act({ type: "came", id: replyId, content, reasoning }),
      });
      act({ type: "ended", id: replyId, requestId });
    } catch (error) {
      if (control.signal.aborted) act({ type: "ended", id: replyId });
      else act({ type: "failed", id: replyId, message: error instanceof Error ? error.message : String(error) });
    } finally {
      if (running.current === control) running.current = undefined;
    }
  };
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);

  return {
    turns,
    isBusy: turns.some(({ state }) => state === "loading" || state === "incomplete"),
    send(text: string): void {
      const id = (nextId.current += 2);
      act({ type: "sent", id, text });
      void response(id + 1);
    },
    retry(id: number): void {
      stop();
      const replyId = (nextId.current += 2);
      act({ type: "retried", id, replyId });
      void response(replyId);
    },
    edit: (id: number, text: string): void => act({ type: "edited", id, text }),
    remove: (id: number): void => act({ type: "removed", id }),
    clear(): void {
      stop();
      act({ type: "cleared" });
    },
    stop,
  };
}
