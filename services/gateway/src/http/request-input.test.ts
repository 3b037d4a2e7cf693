import { IdParams, pageQuery, queryText } from "@turnpike/contract/api/common";
import type { Request } from "express";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInput } from "./request-input.ts";

const requestOf = (parts: { params?: object; query?: object; body?: unknown; length?: string }): Request =>
  ({ params: {}, query: {}, get: () => parts.length, ...parts }) as unknown as Request;

const Form = z.object({ name: z.string().default("none"), count: z.int().optional() });

describe("the input of a route", () => {
  it("is what its schemas say, and nothing of the parts without one", () => {
    const query = z.object({ keyword: queryText }).and(pageQuery(1));
    const input = parseInput(
      { access: "user", query },
      requestOf({ query: { keyword: " x ", p: "3" }, body: { a: 1 } }),
    );
    expect(input).toEqual({ params: undefined, query: { keyword: "x", page: 3, pageSize: 10 }, body: undefined });
  });
  it("takes null for not given and drops what nobody reads", () => {
    const input = parseInput(
      { access: "user", body: Form },
      requestOf({ body: { name: null, count: null, extra: 1 } }),
    );
    expect(input.body).toEqual({ name: "none" });
  });
  it.each([[undefined], [null], ["text"], [7], [[1]]])("is refused as unreadable when the body is %j", (body) => {
    const read = () => parseInput({ access: "user", body: Form }, requestOf({ body }));
    expect(read).toThrow(expect.objectContaining({ code: "body_unreadable" }));
  });
  it("is refused as unreadable when nothing was sent", () => {
    const read = () => parseInput({ access: "user", body: Form }, requestOf({ body: {}, length: "0" }));
    expect(read).toThrow(expect.objectContaining({ code: "body_unreadable" }));
  });
  it("is refused with the names of the fields that do not fit", () => {
    const read = () => parseInput({ access: "user", body: Form }, requestOf({ body: { name: 1, count: 1.5 } }));
    expect(read).toThrow(expect.objectContaining({ code: "invalid_input", params: { detail: "name, count" } }));
  });
  it.each(["0", "-1", "1.5", "1e400", ""])("is refused when the id is %j", (id) => {
    const read = () => parseInput({ access: "user", params: IdParams }, requestOf({ params: { id } }));
    expect(read).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});
