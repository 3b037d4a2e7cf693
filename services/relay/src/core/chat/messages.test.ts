import { expect, it } from "vitest";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { targetFor } from "../../providers/shared/fixtures.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "./chat.ts";
import { toTurns } from "./messages.ts";

/** So many messages that quadratic work would take minutes. */
const MANY = 100_000;
const SOON_MS = 20_000;
const many = <Item>(make: (index: number) => Item): Item[] => Array.from({ length: MANY }, (_, index) => make(index));
const text = (words: string): ContentPart => ({ type: "text", text: words });

it(
  "merges very many messages of one role into one turn quickly",
  () => {
    const parts = [text("a"), text("b"), text("c")];
    const turns = toTurns(many(() => parts.map((part): ChatMessage => ({ role: "user", parts: [part] }))).flat());
    expect(turns.map(({ parts: all }) => all.length)).toEqual([3 * MANY]);
  },
  SOON_MS,
);

it.each([
  [14, "claude-sonnet-4-5"],
  [24, "gemini-2.5-flash"],
  [15, "ERNIE-4.0-8K"],
])(
  "converts very many calls and their results quickly, for type %i",
  (channelType, model) => {
    const request: ChatRequest = {
      model,
      system: [],
      messages: [
        { role: "user", parts: [text("hi")] },
        {
          role: "assistant",
          parts: many((at) => ({ type: "tool-call", id: `c${at}`, name: "f", argumentsText: "{}" })),
        },
        { role: "user", parts: many((at) => ({ type: "tool-result", id: `c${MANY - 1 - at}`, parts: [text("r")] })) },
      ],
      stream: false,
      includeUsage: false,
    };
    const body = JSON.stringify(
      findProvider(channelType)?.buildRequest(request, targetFor({ channelType, model })).json,
    );
    // Each result's text occurs once in the body.
    expect(body.split(/r\\?"/).length).toBeGreaterThan(MANY);
  },
  SOON_MS,
);

it(
  "matches Google callers' results to their calls among very many",
  () => {
    const contents = [
      { role: "model", parts: many((at) => ({ functionCall: { name: `f${at}`, args: {} } })) },
      { role: "user", parts: many((at) => ({ functionResponse: { name: `f${MANY - 1 - at}`, response: {} } })) },
    ];
    const [calls, results] = geminiGenerate.parseRequest({ contents }, { model: "m", stream: false }).messages;
    const first = calls?.parts[0];
    const last = results?.parts.at(-1);
    expect(first?.type === "tool-call" && last?.type === "tool-result" && first.id === last.id).toBe(true);
  },
  SOON_MS,
);
