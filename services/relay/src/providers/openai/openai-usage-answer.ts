import type { ChatResponse } from "../../core/chat/chat.ts";
import { answerOf, objectOf } from "../endpoints/endpoint-provider.ts";
import { readOpenAiUsage } from "./openai-usage.ts";

/**
 * Parses only the usage of a response in OpenAI's format. Throws StreamFailure if a 200 response contains an error or
 * is not an object.
 */
export const parseUsage = (value: unknown): ChatResponse => answerOf(readOpenAiUsage(objectOf(value)["usage"]));
