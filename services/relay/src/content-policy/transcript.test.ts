import { expect, it } from "vitest";
import { createTranscript } from "./transcript.ts";

const hi = "Say hi.";
const PROMPT = { role: "system", content: "Be brief." };

it.each([
  ["chat", { messages: [PROMPT, { role: "user", content: hi }] }],
  ["Anthropic's", { system: "Be brief.", messages: [{ role: "user", content: hi }] }],
  ["responses of one text", { instructions: "Be brief.", input: hi }],
  ["responses", { instructions: "Be brief.", input: [{ role: "user", content: hi }] }],
])("writes the system prompt of %s to the context", (_, body) => {
  const { input_content, context } = createTranscript(body).toLogFields();
  expect([input_content, JSON.parse(String(context))]).toEqual([hi, [PROMPT]]);
});

it("writes the system prompt of Google's and Anthropic's blocks unchanged", () => {
  const parts = [{ text: "Be brief." }];
  const google = createTranscript({
    systemInstruction: { parts },
    contents: [{ role: "user", parts: [{ text: hi }] }],
  });
  expect(google.toLogFields()["context"]).toContain(String.raw`{\"text\":\"Be brief.\"}`);
  const blocks = createTranscript({ system: parts, messages: [{ role: "user", content: hi }] });
  expect(blocks.toLogFields()["context"]).toContain(String.raw`{\"text\":\"Be brief.\"}`);
});
