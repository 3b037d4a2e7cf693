import { createStateSeal } from "@turnpike/shared/crypto/state-seal";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { describe, expect, it } from "vitest";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { toRoutedChannel } from "../../routing/routing-table.ts";
import { createStateBinding } from "./state-binding.ts";
import { createStateCodec } from "./state-codec.ts";

const USER = 7;
const codec = createStateCodec(createStateSeal("a master key of sixteen or more"));
const [first, second] = [1, 2].map((id) => {
  const channel = toRoutedChannel({ channel: Channel.fromPartial({ id, type: 1 }), keys: [`k${id}`] });
  if (!channel) throw new Error("no channel");
  return channel;
}) as [NonNullable<ReturnType<typeof toRoutedChannel>>, NonNullable<ReturnType<typeof toRoutedChannel>>];
const ownerOf = (id: number) => ({ channelId: id, keyName: codec.getKeyName(`k${id}`) });
const sealed = (id: string, owner = 1, user = USER): string => codec.sealId(user, ownerOf(owner), id);
const content = (text: string, owner = 1): string => codec.sealContent(USER, ownerOf(owner), text);

const stored = new Map<string, number>();
function bind(fields: Json, policy = "fail") {
  const options = optionsInForce([{ key: "StateLostPolicy", value: policy }]);
  const channels = [first, second];
  const bindState = createStateBinding({
    codec,
    options: () => options,
    table: () => ({ byId: (id: number) => channels.find((one) => one.id === id) }) as never,
    contextTokens: {
      keep: (id, tokens) => void stored.set(id, tokens),
      find: (id) => Promise.resolve(stored.get(id) ?? 0),
    },
  });
  const body = { model: "m", input: "x", ...fields };
  const admitted = { caller: { known: { token: { userId: USER } } } };
  const call = { body, bodyText: JSON.stringify(body), dialect: openAiResponses, admitted, model: "m", tried: [] };
  const bound = bindState(call as unknown as RelayCall, [channels]);
  expect(JSON.parse(bound.call.bodyText)).toEqual(bound.call.body);
  return bound;
}
const refusal = (code: string, param: string) => expect.objectContaining({ code, status: 404, param }) as Error;
const file = (id: string): Json => ({ input: [{ role: "user", content: [{ type: "input_file", file_id: id }] }] });

describe("resource of an account", () => {
  it.each<[string, (id: string) => Json, (id: string) => Json]>([
    ["a conversation", (id) => ({ conversation: id }), (id) => ({ conversation: id })],
    ["a conversation object", (id) => ({ conversation: { id } }), (id) => ({ conversation: { id } })],
    [
      "a container",
      (id) => ({ tools: [{ type: "code_interpreter", container: id }] }),
      (id) => ({ tools: [{ type: "code_interpreter", container: id }] }),
    ],
    [
      "a vector store",
      (id) => ({ tools: [{ vector_store_ids: [id] }] }),
      (id) => ({ tools: [{ vector_store_ids: [id] }] }),
    ],
    ["a file", file, file],
  ])("binds the call to its account, with its own id: %s", (_, request, sent) => {
    const { call, tiers } = bind(request(sealed("abc_1", 2)));
    expect(tiers.flat().map(({ id }) => id)).toEqual([2]);
    expect(call.isBound).toBe(true);
    expect(call.body).toMatchObject(sent("abc_1"));
  });

  it.each<[string, (id: string) => Json]>([
    ["conversation", (id) => ({ conversation: id })],
    ["conversation.id", (id) => ({ conversation: { id } })],
    ["prompt.id", (id) => ({ prompt: { id } })],
    ["tools[0].container", (id) => ({ tools: [{ type: "code_interpreter", container: id }] })],
    ["tools[0].container.file_ids[0]", (id) => ({ tools: [{ container: { type: "auto", file_ids: [id] } }] })],
    ["tools[0].vector_store_ids[0]", (id) => ({ tools: [{ type: "file_search", vector_store_ids: [id] }] })],
    ["input[0].content[0].file_id", file],
  ])(
    "is not found, with one and the same error, if it is raw, another user's, or of an account that no longer exists: %s",
    (param, request) => {
      const others = ["conv_1", sealed("conv_1", 1, USER + 1), sealed("conv_1", 9), `${sealed("conv_1")}A`];
      for (const id of others) expect(() => bind(request(id))).toThrow(refusal("not_found", param));
    },
  );

  it("must be at the account of the call's other resources", () => {
    const mixed = { previous_response_id: sealed("resp_1"), conversation: sealed("conv_1", 2) };
    expect(() => bind(mixed)).toThrow(refusal("not_found", "conversation"));
  });

  it("is omitted as a citation, which the conversation is complete without", () => {
    const annotations = [{ type: "container_file_citation", file_id: "cfile_1", container_id: "cntr_1" }];
    const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: "a", annotations }] };
    const { call, tiers } = bind({ input: [message] });
    expect(call.body["input"]).toEqual([
      { ...message, content: [{ type: "output_text", text: "a", annotations: [] }] },
    ]);
    expect(tiers.flat()).toHaveLength(2);
  });
});

describe("encrypted content", () => {
  const user = { role: "user", content: "x" };
  it("may be stripped if it is of reasoning alone: a compacted conversation is not found, or goes to its account", () => {
    for (const policy of ["fail", "strip"]) {
      const compaction = (text: string) => ({ input: [{ type: "compaction", encrypted_content: text }, user] });
      const lost = refusal("previous_response_not_found", "input[0].encrypted_content");
      for (const text of ["gAAAA", content("gAAAA", 9)]) expect(() => bind(compaction(text), policy)).toThrow(lost);
      const { call, tiers } = bind(compaction(content("gAAAA", 2)), policy);
      expect(tiers.flat().map(({ id }) => id)).toEqual([2]);
      expect(call.body["input"]).toEqual([{ type: "compaction", encrypted_content: "gAAAA" }, user]);
    }
    const reasoning = { type: "reasoning", summary: [], encrypted_content: "gAAAA" };
    expect(bind({ input: [reasoning, user] }, "strip").call.body["input"]).toEqual([user]);
    expect(() => bind({ input: [reasoning, user] })).toThrow(
      refusal("previous_response_not_found", "input[0].encrypted_content"),
    );
  });
});

describe("continued response", () => {
  it("counts with the tokens that upstream reads again, which its sealed response reported", async () => {
    const { call } = bind({});
    const seal = call.sealing?.({ channel: first, key: "k1" });
    const usage = { input_tokens: 90_000, output_tokens: 10_000, total_tokens: 100_000 };
    const response = { id: "resp_1", object: "response", store: true, usage };
    seal?.event({ event: "response.completed", data: JSON.stringify({ type: "response.completed", response }) });
    const next = bind({ previous_response_id: sealed("resp_1") }).call;
    expect(await next.readContextTokens?.()).toBe(100_000);
    expect(call.readContextTokens).toBeUndefined();
    seal?.body(Buffer.from(JSON.stringify({ ...response, id: "resp_2", store: false })));
    expect(stored.size).toBe(1);
  });
});
