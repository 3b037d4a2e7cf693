import { TaskState } from "@turnpike/proto/billing/v1/task_service";
import { describe, expect, it } from "vitest";
import { changesOf, endOf } from "./task-state.ts";

const state = (about: Partial<TaskState>): TaskState => TaskState.fromPartial(about);

describe("the end of a task", () => {
  it.each<[Partial<TaskState>, ReturnType<typeof endOf>]>([
    [{ status: "SUCCESS", progress: "100%" }, "success"],
    [{ status: "FAILURE" }, "failure"],
    [{ status: "IN_PROGRESS", progress: "40%" }, undefined],
    [{ status: "IN_PROGRESS", progress: "40%", failReason: "banned" }, "failure"],
    [{ status: "IN_PROGRESS", progress: "100%" }, undefined],
    [{ status: "MODAL" }, undefined],
    [{}, undefined],
  ])("%j is %s", (about, end) => {
    expect(endOf(state(about))).toBe(end);
  });
});

describe("what a report changes", () => {
  it("is what upstream said, and nothing it left out", () => {
    expect(changesOf(state({ status: "IN_PROGRESS", progress: "12%", imageUrl: "" }), 5)).toEqual({
      status: "IN_PROGRESS",
      progress: "12%",
    });
  });

  it("ends at 100% with a time", () => {
    expect(changesOf(state({ status: "FAILURE", progress: "3%", failReason: "no" }), 5)).toMatchObject({
      status: "FAILURE",
      progress: "100%",
      finishTimeMs: 5,
      failReason: "no",
    });
  });

  it("leaves out JSON that is too long to keep whole", () => {
    const dataJson = JSON.stringify("x".repeat(600_000));
    expect(changesOf(state({ status: "SUCCESS", dataJson }), 5)).not.toHaveProperty("dataJson");
  });
});
