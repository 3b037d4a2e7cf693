import type { StreamPart } from "../../chat/chat.ts";
import { readParts, readStreamBytes } from "../fixtures.ts";
import { providerOf } from "../index.ts";
import type { Provider } from "../provider.ts";

export const openai = providerOf(1) as Provider;

export const stream = (name: string, pieceBytes?: number): StreamPart[] =>
  readParts(openai.newStreamReader(), readStreamBytes("openai", name), pieceBytes);
