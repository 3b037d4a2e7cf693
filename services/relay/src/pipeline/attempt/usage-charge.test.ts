import { expect, it } from "vitest";
import { addChargeToBody, addChargeToEvents, isFinalUsage } from "./usage-charge.ts";

const data = (value: object): { event: string; data: string } => ({ event: "", data: JSON.stringify(value) });

it.each([
  ["chat", { id: "c", usage: { prompt_tokens: 3 } }, { id: "c", usage: { prompt_tokens: 3, cost: 0.000346 } }],
  ["Google", { usageMetadata: { promptTokenCount: 3 } }, { usageMetadata: { promptTokenCount: 3, cost: 0.000346 } }],
])("adds the charge to the usage of a response: %s", (_, body, changed) => {
  expect(JSON.parse(addChargeToBody(JSON.stringify(body), "0.000346").toString())).toEqual(changed);
});

it("leaves bodies without usage, and those of uncharged calls, as they are", () => {
  const body = Buffer.from('{"text":"a","n":1.0}');
  expect(addChargeToBody(body, "0.1")).toBe(body);
  expect(addChargeToBody(Buffer.from("not JSON"), "0.1").toString()).toBe("not JSON");
  const charged = Buffer.from('{"usage":{}}');
  expect(addChargeToBody(charged, undefined)).toBe(charged);
});

it("keeps ids beyond double precision", () => {
  expect(addChargeToBody('{"id":12345678901234567890,"usage":{}}', "1").toString()).toBe(
    '{"id":12345678901234567890,"usage":{"cost":1}}',
  );
});

it("adds the charge to the events that have usage", () => {
  const events =
    'event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":2}}\n\n' +
    'event: message_stop\ndata: {"type":"message_stop"}\n\ndata: {"response":{"id":"r","usage":{"total_tokens":1}}}\n\n' +
    "data: [DONE]\n\n";
  expect(addChargeToEvents(events, "0.5")).toBe(
    'event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":2,"cost":0.5}}\n\n' +
      'event: message_stop\ndata: {"type":"message_stop"}\n\ndata: {"response":{"id":"r","usage":{"total_tokens":1,"cost":0.5}}}\n\n' +
      "data: [DONE]\n\n",
  );
});

it.each(["\n", "\r\n", "\r"])("keeps the line ends of the events: %j", (end) => {
  const toEvents = (usage: object) =>
    [": ping", "", "event: a", `data: ${JSON.stringify({ usageMetadata: usage })}`, "", ""].join(end);
  expect(addChargeToEvents(toEvents({ n: 1 }), "0.5")).toBe(toEvents({ n: 1, cost: 0.5 }));
  expect(addChargeToEvents(`data:{"usage":{}}${end}${end}`, "1")).toBe(`data: {"usage":{"cost":1}}${end}${end}`);
});

it.each([
  [true, { choices: [], usage: { prompt_tokens: 1 } }],
  [true, { choices: [{ delta: {}, finish_reason: "stop" }], usage: { prompt_tokens: 1 } }],
  [false, { choices: [{ delta: { content: "a" }, finish_reason: null }], usage: { prompt_tokens: 1 } }],
  [false, { choices: [{ delta: { content: '"usage"' } }], usage: null }],
  [true, { type: "message_delta", usage: { output_tokens: 1 } }],
  [false, { type: "message_start", message: { usage: { input_tokens: 1 } } }],
  [true, { type: "response.completed", response: { usage: { total_tokens: 1 } } }],
  [false, { type: "response.created", response: { usage: null } }],
  [true, { candidates: [{ finishReason: "STOP" }], usageMetadata: { totalTokenCount: 1 } }],
  [false, { candidates: [{ content: {} }], usageMetadata: { totalTokenCount: 1 } }],
])("distinguishes the event with the final usage from others: %s %j", (isFinal, event) => {
  expect(isFinalUsage(data(event))).toBe(isFinal);
});
