import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { replaceResourceIds } from "./resource-ids.ts";

const seal = (body: Json) => replaceResourceIds(body, (id) => `<${id}>`);
const listPaths = (body: Json): string[] => {
  const paths: string[] = [];
  replaceResourceIds(body, (_, path) => void paths.push(path));
  return paths;
};

describe("id of a stored resource", () => {
  it("is replaced in responses, their items and events", () => {
    const message = {
      content: [
        {
          type: "output_text",
          annotations: [
            { type: "container_file_citation", container_id: "cntr_1", file_id: "cfile_1" },
            { type: "url_citation", url: "https://a.test" },
          ],
        },
      ],
    };
    const sealed = [{ type: "container_file_citation", container_id: "<cntr_1>", file_id: "<cfile_1>" }];
    expect(
      seal({
        conversation: { id: "conv_1" },
        output: [message, { type: "code_interpreter_call", container_id: "cntr_1" }],
        tools: [
          { type: "code_interpreter", container: { type: "auto", file_ids: ["file-1"] } },
          { type: "code_interpreter", container: "cntr_1" },
          { type: "file_search", vector_store_ids: ["vs_1"] },
        ],
      }),
    ).toEqual({
      conversation: { id: "<conv_1>" },
      output: [
        { content: [{ type: "output_text", annotations: [...sealed, message.content[0]?.annotations[1]] }] },
        { type: "code_interpreter_call", container_id: "<cntr_1>" },
      ],
      tools: [
        { type: "code_interpreter", container: { type: "auto", file_ids: ["<file-1>"] } },
        { type: "code_interpreter", container: "<cntr_1>" },
        { type: "file_search", vector_store_ids: ["<vs_1>"] },
      ],
    });
    expect(seal({ annotation: { file_id: "f" } })).toEqual({ annotation: { file_id: "<f>" } });
    expect(seal({ part: { annotations: [{ file_id: "f" }] } })).toEqual({
      part: { annotations: [{ file_id: "<f>" }] },
    });
  });

  it("is found in a request, with its path", () => {
    const body = {
      conversation: "conv_1",
      prompt: { id: "pmpt_1" },
      tools: [{ type: "image_generation", input_image_mask: { file_id: "a" } }, { environment: { container_id: "b" } }],
      input: [
        { content: [{ type: "input_file", file_id: "c" }] },
        { type: "computer_call_output", output: { file_id: "d" } },
        { type: "function_call_output", output: [{ type: "input_image", file_id: "e" }] },
      ],
    };
    expect(listPaths(body)).toEqual([
      "conversation",
      "prompt.id",
      "tools[0].input_image_mask.file_id",
      "tools[1].environment.container_id",
      "input[0].content[0].file_id",
      "input[1].output.file_id",
      "input[2].output[0].file_id",
    ]);
  });

  it("is not sought in what callers name themselves, nor in texts", () => {
    const body = {
      metadata: { file_id: "mine", conversation: "mine" },
      tools: [{ type: "function", parameters: { container: "x", properties: { file_id: "y" } } }],
      input: "file_id: z",
      instructions: "conversation",
    };
    expect(seal(body)).toBe(body);
  });

  it("is omitted with a citation that cannot be opened", () => {
    const citations = [{ file_id: "ours" }, { file_id: "theirs" }, { url: "u" }];
    const opened = replaceResourceIds({ content: [{ annotations: citations, file_id: "theirs" }] }, (id) =>
      id === "ours" ? "opened" : undefined,
    );
    expect(opened).toEqual({ content: [{ annotations: [{ file_id: "opened" }, { url: "u" }], file_id: "theirs" }] });
  });
});
