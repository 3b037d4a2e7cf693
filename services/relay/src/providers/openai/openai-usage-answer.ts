import type { ChatResponse } from "../../core/chat/chat.ts";
import { answerOf, objectOf } from "../endpoints/endpoint-provider.ts";
import { readOpenAiUsage } from "./openai-usage.ts";

/** An answer of which the usage alone is read, in OpenAI's form. Throws StreamFailure when a 200 holds an error or no object. */
export const parseUsage = (value: unknown): ChatResponse => answerOf(readOpenAiUsage(objectOf(value)["usage"]));
