import { IdParams, pageQuery, queryText } from "@turnpike/contract/api/common";
import type { Request } from "express";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInput } from "./request-input.ts";

const toRequest = (parts: { params?: object; query?: object; body?: unknown; length?: string }): Request =>
  ({ params: {}, query: {}, get: () => parts.length, ...parts }) as unknown as Request;

const Form = z.object({ name: z.string().default("none"), count: z.int().optional() });

describe("request input", () => {
  it("returns what the schemas describe and drops parts without a schema", () => {
    const query = z.object({ keyword: queryText }).and(pageQuery(1));
    const input = parseInput({ query }, toRequest({ query: { keyword: " x ", p: "3" }, body: { a: 1 } }));
    expect(input).toEqual({ params: undefined, query: { keyword: "x", page: 3, pageSize: 10 }, body: undefined });
  });
  it("treats null as absent and drops unknown fields", () => {
    const input = parseInput({ body: Form }, toRequest({ body: { name: null, count: null, extra: 1 } }));
    expect(input.body).toEqual({ name: "none" });
  });
  it.each([[undefined], [null], ["text"], [7], [[1]]])("rejects the body %j as unreadable", (body) => {
    const read = () => parseInput({ body: Form }, toRequest({ body }));
    expect(read).toThrow(expect.objectContaining({ code: "body_unreadable" }));
  });
  it("rejects an empty body as unreadable", () => {
    const read = () => parseInput({ body: Form }, toRequest({ body: {}, length: "0" }));
    expect(read).toThrow(expect.objectContaining({ code: "body_unreadable" }));
  });
  it("rejects invalid fields by name", () => {
    const read = () => parseInput({ body: Form }, toRequest({ body: { name: 1, count: 1.5 } }));
    expect(read).toThrow(expect.objectContaining({ code: "invalid_input", params: { detail: "name, count" } }));
  });
  it.each(["0", "-1", "1.5", "1e400", ""])("rejects the id %j", (id) => {
    const read = () => parseInput({ params: IdParams }, toRequest({ params: { id } }));
    expect(read).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});
