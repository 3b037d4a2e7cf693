import { describe, expect, it } from "vitest";
import { type Description, listSections } from "./description.ts";
import { getTypeName, listShapes } from "./schema-lines.ts";

const DOCUMENT: Description = {
  info: { title: "t", version: "1" },
  tags: [
    { name: "token", description: "Keys." },
    { name: "user", description: "People." },
  ],
  paths: {
    "/api/token/": {
      get: { operationId: "listTokens", summary: "List the own tokens", tags: ["token"], responses: {} },
      post: { operationId: "createToken", summary: "Create a token", tags: ["token"], responses: {} },
    },
    "/api/user/": { get: { operationId: "listUsers", summary: "List users", tags: ["user"], responses: {} } },
  },
  components: {
    schemas: {
      Node: {
        type: "object",
        properties: { name: { type: "string", description: "Shown." }, next: { $ref: "#/components/schemas/Node" } },
        required: ["name"],
      },
    },
  },
};
const NODE = { $ref: "#/components/schemas/Node" };

describe("section of a description", () => {
  it("is a tag, with the calls that have every word of the keyword", () => {
    const list = (keyword: string) =>
      listSections(DOCUMENT, keyword).map(({ name, entries }) => [
        name,
        entries.map(({ operation }) => operation.operationId),
      ]);
    expect(list("")).toEqual([
      ["token", ["listTokens", "createToken"]],
      ["user", ["listUsers"]],
    ]);
    expect(list("post TOKEN")).toEqual([["token", ["createToken"]]]);
    expect(list("nothing")).toEqual([]);
  });
});

describe("shape", () => {
  it.each([
    [NODE, "Node"],
    [{ type: "array", items: NODE }, "Node[]"],
    [{ type: "array", items: { anyOf: [NODE, { type: "null" }] } }, "(Node | null)[]"],
    [{ enum: ["a", 1] }, '"a" | 1'],
    [{ const: true }, "true"],
    [{ type: ["string", "null"] }, "string | null"],
    [{}, "any"],
  ])("has the name of its type: %j", (schema, name) => {
    expect(getTypeName(DOCUMENT, schema)).toBe(name);
  });

  it("lists the fields of every object that it can be, also of one that contains itself", () => {
    const [fields, other] = listShapes(DOCUMENT, {
      anyOf: [NODE, { type: "object", additionalProperties: { type: "integer" } }],
    });
    expect(fields).toEqual([
      { name: "name", type: "string", isRequired: true, description: "Shown.", children: undefined },
      { name: "next", type: "Node", isRequired: false, description: "", children: NODE },
    ]);
    expect(other?.map(({ name, type }) => [name, type])).toEqual([["*", "integer"]]);
  });

  it("ends for a reference to itself without an object in between", () => {
    const loop = { ...DOCUMENT, components: { schemas: { A: { $ref: "#/components/schemas/A" } } } };
    expect(listShapes(loop, { $ref: "#/components/schemas/A" })).toEqual([]);
  });
});
