import { expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { findRefusedField } from "./refused-field.ts";

const FIELDS = ["quota", "note"] as const;
const refused = (code: string, params?: Record<string, string>) => new ApiError("refused", "no", { code, params });

it("finds the field of a refusal by its code, its parameter or the list of invalid inputs", () => {
  expect(findRefusedField(refused("refund_reason_required"), FIELDS, { refund_reason_required: "note" })).toBe("note");
  expect(findRefusedField(refused("text_too_long", { field: "note" }), FIELDS)).toBe("note");
  expect(findRefusedField(refused("invalid_input", { detail: "id, quota" }), FIELDS)).toBe("quota");
});

it("finds no field for other errors", () => {
  expect(findRefusedField(refused("user_not_found"), FIELDS)).toBeUndefined();
  expect(findRefusedField(refused("invalid_input", { detail: "id" }), FIELDS)).toBeUndefined();
  expect(findRefusedField(new ApiError("unreachable", ""), FIELDS, { "": "quota" })).toBeUndefined();
  expect(findRefusedField(new Error("quota"), FIELDS)).toBeUndefined();
});
