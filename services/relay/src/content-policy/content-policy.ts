import type { IncomingHttpHeaders } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RelayCall } from "../core/call/relay-call.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import { promptText, collectFieldText } from "../accounting/tokens/token-estimate.ts";
import { createCallContent } from "./response-filter.ts";
import { type ContentSettings, contentSettings } from "./content-settings.ts";
import { createTranscript } from "./transcript.ts";
import type { PatternRules } from "./pattern-rules.ts";

const refused = (): RelayError =>
  new RelayError("sensitive_words_detected", "the prompt contains words that are not allowed here");

const isExempt = (group: string, { exemptGroup }: ContentSettings): boolean => group === exemptGroup;

function checkText(text: string, rules: PatternRules): void | Promise<void> {
  const response = rules.forbids(text);
  if (response === true) throw refused();
  if (response === false) return;
  return response.then((forbids) => {
    if (forbids) throw refused();
  });
}

/** In some formats the system instructions are a field next to the prompt. */
const ALSO_TEXT = ["instructions", "prompt", "suffix", "input", "query", "documents", "content", "requests"];
const NON_CHAT = ["prediction"];

function getTexts(call: RelayCall): string {
  const { endpoint } = call.dialect;
  if (endpoint) return collectFieldText(call.body, ALSO_TEXT).text;
  return [promptText(call.body).text, collectFieldText(call.body, NON_CHAT).text].filter(Boolean).join("\n");
}

/** Bodies up to this length are searched first as raw text; larger ones are mostly image data. */
const SEARCHED_CHARACTERS_MAX = 256 * 1024;

/** Whether the body's JSON rules out that a text within it is forbidden. */
function isClean({ bodyText, form }: RelayCall, rules: PatternRules): boolean {
  if (form !== undefined || bodyText === "" || bodyText.length > SEARCHED_CHARACTERS_MAX) return false;
  return !rules.mayForbidWithin(bodyText);
}

/**
 * Applies the content options to a call before a hold is placed or anything is sent: throws sensitive_words_detected,
 * and sets the call's output filter and content logging. Returns a promise only for long prompts.
 */
export function applyContentPolicy(call: RelayCall, options: OptionsInForce): void | Promise<void> {
  const settings = contentSettings(options);
  const exempt = isExempt(call.group, settings);
  const { promptRules, responseRules: rules, stopsResponses: stops, heldChunks } = settings;
  const guard = rules && !exempt ? { rules, stops, heldChunks } : undefined;
  const transcript = settings.logsContent ? createTranscript(call.body) : undefined;
  if (guard || transcript) call.content = createCallContent(guard, transcript);
  if (promptRules && !exempt && !isClean(call, promptRules)) return checkText(getTexts(call), promptRules);
}

/**
 * Checks a prompt that is not part of a model call. Throws sensitive_words_detected; returns a promise only for long
 * texts.
 */
export function checkTaskText(text: string, group: string, options: OptionsInForce): void | Promise<void> {
  const settings = contentSettings(options);
  if (settings.promptRules && !isExempt(group, settings)) return checkText(text, settings.promptRules);
}

/** No model's context is larger, and longer texts would block the event loop while they are checked. */
const FRAME_CHARACTERS_MAX = 256 * 1024;

/**
 * Returns the error for text of a running Realtime session, or undefined if the text is allowed. Frames keep their
 * order, so the check is synchronous.
 */
export function findTextRefusal(call: RelayCall, options: OptionsInForce, text: string): RelayError | undefined {
  const settings = contentSettings(options);
  if (!settings.promptRules || isExempt(call.group, settings) || text === "") return undefined;
  if (text.length > FRAME_CHARACTERS_MAX)
    return new RelayError("invalid_request", `an event may hold ${FRAME_CHARACTERS_MAX} characters of text at most`);
  return settings.promptRules.forbidsNow(text) ? refused() : undefined;
}

/** Throws browser_extension_blocked for calls from a browser extension, if the option is set. */
export function checkOrigin(headers: IncomingHttpHeaders, options: OptionsInForce): void {
  const { origin } = headers;
  if (origin === undefined || !contentSettings(options).blocksExtensions) return;
  if (origin.includes("extension") && origin.includes("://"))
    throw new RelayError("browser_extension_blocked", "browser extensions may not call this site");
}
