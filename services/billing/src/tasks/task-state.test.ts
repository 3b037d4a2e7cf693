import { TaskState } from "@turnpike/proto/billing/v1/task_service";
import { describe, expect, it } from "vitest";
import { toChanges, getEnd } from "./task-state.ts";

const state = (about: Partial<TaskState>): TaskState => TaskState.fromPartial(about);

describe("task end state", () => {
  it.each<[Partial<TaskState>, ReturnType<typeof getEnd>]>([
    [{ status: "SUCCESS", progress: "100%" }, "success"],
    [{ status: "FAILURE" }, "failure"],
    [{ status: "IN_PROGRESS", progress: "40%" }, undefined],
    [{ status: "IN_PROGRESS", progress: "40%", failReason: "banned" }, "failure"],
    [{ status: "IN_PROGRESS", progress: "100%" }, undefined],
    [{ status: "MODAL" }, undefined],
    [{}, undefined],
  ])("reads %j as %s", (about, end) => {
    expect(getEnd(state(about))).toBe(end);
  });
});

describe("task update", () => {
  it("contains only what the upstream reported", () => {
    expect(toChanges(state({ status: "IN_PROGRESS", progress: "12%", imageUrl: "" }), 5)).toEqual({
      status: "IN_PROGRESS",
      progress: "12%",
    });
  });

  it("ends at 100% with an end time", () => {
    expect(toChanges(state({ status: "FAILURE", progress: "3%", failReason: "no" }), 5)).toMatchObject({
      status: "FAILURE",
      progress: "100%",
      finishTimeMs: 5,
      failReason: "no",
    });
  });

  it("omits JSON that is too long to store", () => {
    const dataJson = JSON.stringify("x".repeat(600_000));
    expect(toChanges(state({ status: "SUCCESS", dataJson }), 5)).not.toHaveProperty("dataJson");
  });
});
