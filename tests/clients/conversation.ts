import { randomBytes } from "node:crypto";
import type { Scenario } from "../lib/fake-upstream/scenario.ts";
import { isObject, type ReceivedRequest, type Requested } from "../lib/fake-upstream/wire-format.ts";

/** One tool call of the scripted model; `result` is a part of what the tool returns. */
export type Step = {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: string;
  /** Codex's namespace of an MCP server's tools. */
  readonly namespace?: string;
};

export type Script = {
  /** A text of the task's prompt that stands in no other call. */
  readonly mark: string;
  readonly steps: readonly Step[];
  /** The model's last response. */
  readonly finalText: string;
  /** After this turn the client compacts the conversation, since the model reports that it is too long. */
  readonly compactsAfter?: number;
  /** Counts the finished turns of clients that offer no tools; the scripted texts then stand in for tool calls. */
  readonly texts?: { readonly countTurns: (requested: Requested) => number; readonly turns: readonly string[] };
};

const RESULT_TYPES = /^(tool_result|(function_call|custom_tool_call|local_shell_call|shell_call|mcp_call)_output)$/;

/** Results of tools in a request of any wire format. */
export function countToolResults(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + countToolResults(entry), 0);
  if (!isObject(value)) return 0;
  const isResult =
    value["role"] === "tool" || RESULT_TYPES.test(String(value["type"])) || value["functionResponse"] !== undefined;
  if (isResult) return 1;
  return ["messages", "contents", "input", "content", "parts"].reduce(
    (sum, name) => sum + countToolResults(value[name]),
    0,
  );
}

/** A step as the model calls it: only the Responses API names the namespace of a tool. */
function toCall({ name, namespace, arguments: input }: Step, path: string): Scenario {
  if (namespace === undefined) return { toolCalls: [{ name, arguments: input }] };
  if (!path.endsWith("/responses")) return { toolCalls: [{ name: `${namespace}__${name}`, arguments: input }] };
  const id = randomBytes(6).toString("hex");
  const call = { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name, namespace, status: "completed" };
  return { ownTools: [{ ...call, arguments: JSON.stringify(input) }] };
}

/** More prompt tokens than the client may use. */
const TOO_MANY_TOKENS = 300_000;
/** How Turnpike requests a summary from a model without compaction. */
const SUMMARY_REQUEST = "Compact the conversation above";

const isCompaction = ({ promptText }: Requested, { body }: ReceivedRequest): boolean => {
  const input: unknown[] = Array.isArray(body["input"]) ? body["input"] : [];
  const last = input.at(-1);
  return (isObject(last) && last["type"] === "compaction_trigger") || promptText.includes(SUMMARY_REQUEST);
};

/** A compaction that names the number of steps it replaces. */
function toCompaction(steps: number, path: string): Scenario {
  const text = `(${steps} steps are done)`;
  if (!path.endsWith("/responses")) return { text };
  const id = `cmp_${randomBytes(6).toString("hex")}`;
  return { text: "", ownTools: [{ id, type: "compaction", encrypted_content: text }] };
}

/** The steps that a compaction in the request replaces. */
const countCompactedSteps = (body: unknown): number =>
  Number(/\((\d+) steps are done\)/.exec(JSON.stringify(body))?.[1] ?? 0);

/** The turns at which upstream fails. */
const FAILOVER_TURN = 1;
const FAILURE_TURN = 2;
/** A call is sent to both channels of its model before it fails. */
const ATTEMPTS = 2;
/** How many upstream calls of a task are refused. */
export const REFUSED_CALLS = 1 + ATTEMPTS;

/**
 * A model that calls the tools of a script one by one, whichever client and wire format requests: the next turn follows from
 * the results that a request contains. One turn is served by the second channel only; a later one fails on both, so that
 * the client must repeat it.
 */
export function createConversation(script: Script) {
  const attempts = new Map<number, number>();
  const problems: string[] = [];
  let background = 0;
  let compactions = 0;

  function getRefusal(turn: number): Scenario | undefined {
    const attempt = attempts.get(turn) ?? 0;
    attempts.set(turn, attempt + 1);
    if (turn === FAILOVER_TURN && attempt === 0) return { refuse: { status: 500, message: "the first channel fails" } };
    if (turn === FAILURE_TURN && attempt < ATTEMPTS) return { refuse: { status: 503, message: "overloaded" } };
    return undefined;
  }

  function getStep(turn: number, requested: Requested, { body, path }: ReceivedRequest): Scenario {
    const [before, step] = [script.steps[turn - 1], script.steps[turn]];
    if (before && countCompactedSteps(body) !== turn && !requested.promptText.includes(before.result))
      problems.push(`turn ${turn}: the result of ${before.name} is missing: ${requested.promptText.slice(-2000)}`);
    if (!step) return { text: script.finalText };
    const usage = turn === script.compactsAfter ? { usage: { inputTokens: TOO_MANY_TOKENS } } : {};
    return { text: `Step ${turn + 1}.`, ...toCall(step, path), ...usage };
  }

  return {
    problems,
    /** Calls of the task, for compactions and of the client's background work. */
    counts: () => ({ turns: attempts.size, compactions, background }),
    respond(requested: Requested, request: ReceivedRequest): Scenario | undefined {
      const { body, path } = request;
      if (script.compactsAfter !== undefined && isCompaction(requested, request)) {
        compactions += 1;
        return toCompaction(Math.max(...attempts.keys()) + 1, path);
      }
      const tools = body["tools"];
      const isTask =
        requested.promptText.includes(script.mark) && (script.texts ?? (Array.isArray(tools) && tools.length > 0));
      if (!isTask) {
        background += 1;
        return { text: "Notes" };
      }
      const turn = script.texts?.countTurns(requested) ?? countCompactedSteps(body) + countToolResults(body);
      const refusal = getRefusal(turn);
      if (refusal) return refusal;
      return script.texts ? { text: script.texts.turns[turn] ?? script.finalText } : getStep(turn, requested, request);
    },
  };
}
