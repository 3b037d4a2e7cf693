import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

/** The official OpenAI client for a relay or gateway; without retries, so that a test sees each failure. */
export const openaiClient = (baseUrl: string, key: string, timeoutMs = 30_000): OpenAI =>
  new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0, timeout: timeoutMs });

/** The official Anthropic client for a relay or gateway; without retries. */
export const anthropicClient = (baseUrl: string, key: string, timeoutMs = 30_000): Anthropic =>
  new Anthropic({ baseURL: baseUrl, apiKey: key, maxRetries: 0, timeout: timeoutMs });
