import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const FORMAT = { type: "json_schema", json_schema: { name: "n", schema: SCHEMA, strict: true } };
const USER = { role: "user", content: "hi" };

const adapt = (type: number, body: Json): Json =>
  findProvider(type)?.adaptBody?.(body, targetFor({ channelType: type, model: "m" })) ?? body;

describe.each([26, 43])("response schema on a channel of type %i", (type) => {
  it("becomes an instruction appended to the system message, with JSON requested", () => {
    const body = adapt(type, { messages: [{ role: "system", content: "Be brief." }, USER], response_format: FORMAT });
    expect(body["response_format"]).toEqual({ type: "json_object" });
    const [system, user] = body["messages"] as Json[];
    expect(system?.["content"]).toMatch(/^Be brief\.\n\nAnswer with one JSON object/);
    expect(system?.["content"]).toContain(JSON.stringify(SCHEMA));
    expect(user).toBe(USER);
  });

  it("becomes a system message of its own, or an additional part", () => {
    const alone = adapt(type, { messages: [USER], response_format: FORMAT })["messages"] as Json[];
    expect(alone.map(({ role }) => role)).toEqual(["system", "user"]);
    const parts = [{ type: "text", text: "Be brief." }];
    const [system] = adapt(type, { messages: [{ role: "system", content: parts }, USER], response_format: FORMAT })[
      "messages"
    ] as Json[];
    expect(system?.["content"]).toEqual([...parts, { type: "text", text: expect.stringContaining("JSON") as string }]);
  });

  it("leaves other response formats unchanged", () => {
    const body = { messages: [USER], response_format: { type: "json_object" } };
    expect(adapt(type, body)).toEqual(body);
  });
});
