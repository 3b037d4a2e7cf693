import type { Conversation } from "./socket-turn.ts";

/**
 * The latest conversation of every connection, within a limit for all of them. One that does not fit is not kept: its
 * client learns that by previous_response_not_found, and sends the whole conversation.
 */
export class ConversationMemory {
  readonly #charactersMax: number;
  readonly #kept = new Map<object, Conversation>();
  #characters = 0;

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  find(connection: object): Conversation | undefined {
    return this.#kept.get(connection);
  }

  keep(connection: object, conversation: Conversation): void {
    this.drop(connection);
    if (this.#characters + conversation.characters > this.#charactersMax) return;
    this.#kept.set(connection, conversation);
    this.#characters += conversation.characters;
  }

  drop(connection: object): void {
    this.#characters -= this.#kept.get(connection)?.characters ?? 0;
    this.#kept.delete(connection);
  }
}
