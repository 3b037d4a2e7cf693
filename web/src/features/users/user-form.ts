import type { UserProfile, UserUpdateBody } from "@turnpike/contract/api/user";
import type { UserCreateBody } from "@turnpike/contract/api/user-admin";
import { ROLE } from "@turnpike/contract/codes";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { z } from "zod/mini";
import { text } from "../../lib/text/i18n-source.ts";

const username = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, text("请输入用户名")),
    z.maxLength(USERNAME_LENGTH_MAX, text("用户名长度必须为1到20个字符")),
  );
const displayName = z.string().check(z.trim(), z.maxLength(USERNAME_LENGTH_MAX, text("显示名称不能超过20个字符")));
const password = z
  .string()
  .check(
    z.minLength(PASSWORD_LENGTH_MIN, text("密码长度至少为8个字符")),
    z.maxLength(PASSWORD_LENGTH_MAX, text("密码长度不能超过20个字符")),
  );

const NOTE_LENGTH_MAX = 2_000;

/** The form of a new user. */
export const NewUserForm = z.object({
  username,
  displayName,
  password,
  role: z.string(),
  group: z.string(),
  note: z.string(),
});
/** The form of an existing user; an empty password stays unchanged. */
export const UserForm = z.object({
  username,
  displayName,
  password: z.union([z.literal(""), password]),
  role: z.string(),
  group: z.string().check(z.minLength(1, text("请选择分组"))),
  note: z.string().check(z.trim(), z.maxLength(NOTE_LENGTH_MAX, text("备注不能超过 2000 个字符"))),
});
export type UserValues = z.infer<typeof UserForm>;

export const NEW_USER: UserValues = {
  username: "",
  displayName: "",
  password: "",
  role: String(ROLE.user),
  group: "",
  note: "",
};

/** A stored user in the form. */
export const toFormValues = (user: UserProfile): UserValues => ({
  username: user.username,
  displayName: user.display_name,
  password: "",
  role: String(user.role),
  group: user.group,
  note: user.admin_note ?? "",
});

export const toCreateBody = (values: UserValues): UserCreateBody => ({
  username: values.username,
  display_name: values.displayName,
  password: values.password,
  role: Number(values.role),
});

/** Only the changed fields, so that two administrators who edit one user do not undo each other. */
export function toUpdateBody(user: UserProfile, values: UserValues): UserUpdateBody {
  return {
    id: user.id,
    ...(values.username === user.username ? {} : { username: values.username }),
    ...(values.displayName === user.display_name ? {} : { display_name: values.displayName }),
    ...(values.group === user.group ? {} : { group: values.group }),
    ...(values.note === (user.admin_note ?? "") ? {} : { admin_note: values.note }),
    ...(values.password === "" ? {} : { password: values.password }),
  };
}
