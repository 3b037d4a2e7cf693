import { business, type ErrorRow, FAILED_PRECONDITION, INVALID_ARGUMENT } from "./error-row.ts";

/** Errors about groups: who may use one, and which exist. */
export const GROUP_ERRORS = {
  group_not_usable: business(INVALID_ARGUMENT, "无权使用分组 {{group}}", "You may not use the group {{group}}"),
  group_unknown: business(
    INVALID_ARGUMENT,
    "分组 {{group}} 没有倍率，请先在分组设置中添加",
    "The group {{group}} has no ratio; add it to the groups first",
  ),
  group_in_use: business(
    FAILED_PRECONDITION,
    "分组 {{group}} 还有 {{users}} 个用户、{{tokens}} 个令牌和 {{channels}} 个渠道在使用，请先将它们移到其他分组",
    "The group {{group}} has {{users}} users, {{tokens}} tokens and {{channels}} channels; move them to another group first",
  ),
} as const satisfies Record<string, ErrorRow>;
