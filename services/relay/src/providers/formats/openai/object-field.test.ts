import { describe, expect, it } from "vitest";
import type { PostProcessing } from "../../contract/provider.ts";
import { targetFor } from "../../shared/fixtures.ts";
import { findProvider } from "../../registry/providers.ts";

/** Zhipu's responses as in its reference (docs.bigmodel.cn, chat completions): without `object`. */
const COMPLETE =
  '{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"an \\"object\\"","role":"assistant"}}]}';
const CHUNK =
  '{"id":"1","created":1,"model":"glm-4","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}';

const zhipu = findProvider(26);
const split = (text: string): string => {
  const splitter = zhipu?.streaming?.newFrameSplitter?.();
  return Buffer.concat(Array.from(splitter?.push(Buffer.from(text)) ?? [], ({ raw }) => raw)).toString();
};
const finish = async (text: string): Promise<string> => {
  const requested = { body: {}, target: targetFor({ channelType: 26 }) };
  const done = await zhipu?.finish?.({ headers: {}, body: Buffer.from(text) }, requested, {} as PostProcessing);
  return done?.body.toString() ?? "";
};

describe("chat response without an object field", () => {
  it("gets the field and keeps all others", async () => {
    expect(JSON.parse(await finish(COMPLETE))).toEqual({
      object: "chat.completion",
      ...(JSON.parse(COMPLETE) as object),
    });
    const sent = split(`data: ${CHUNK}\n\ndata: [DONE]\n\n`);
    expect(sent).toBe(`data: {"object":"chat.completion.chunk",${CHUNK.slice(1)}\n\ndata: [DONE]\n\n`);
  });

  it("stays the same bytes if it has the field, or is not a chat response", async () => {
    const named = '{"object":"chat.completion","choices":[]}';
    const error = '{"error":{"code":"1302","message":"slow down"}}';
    expect(await finish(named)).toBe(named);
    expect(await finish(error)).toBe(error);
    expect(await finish("<html>")).toBe("<html>");
    expect(split(`data: ${named}\n\n`)).toBe(`data: ${named}\n\n`);
  });

  it("stays unchanged for all other providers", () => {
    expect(findProvider(1)?.finish).toBeUndefined();
    expect(findProvider(1)?.streaming?.newFrameSplitter).toBeUndefined();
  });
});
