import type { UserProfile, UserUpdateBody } from "@turnpike/contract/api/user";
import type { UserCreateBody } from "@turnpike/contract/api/user-admin";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, ROLE, USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { z } from "zod";
import { text } from "../../lib/i18n-source.ts";

const username = z
  .string()
  .trim()
  .min(1, text("请输入用户名"))
  .max(USERNAME_LENGTH_MAX, text("用户名长度必须为1到20个字符"));
const displayName = z.string().trim().max(USERNAME_LENGTH_MAX, text("显示名称不能超过20个字符"));
const password = z
  .string()
  .min(PASSWORD_LENGTH_MIN, text("密码长度至少为8个字符"))
  .max(PASSWORD_LENGTH_MAX, text("密码长度不能超过20个字符"));

/** The form that makes a user. */
export const NewUserForm = z.object({ username, displayName, password, role: z.string(), group: z.string() });
/** The form that changes one; an empty password stays as it is. */
export const UserForm = z.object({
  username,
  displayName,
  password: z.union([z.literal(""), password]),
  role: z.string(),
  group: z.string().min(1, text("请选择分组")),
});
export type UserValues = z.infer<typeof UserForm>;

export const NEW_USER: UserValues = { username: "", displayName: "", password: "", role: String(ROLE.user), group: "" };

/** A stored user as the form shows it. */
export const toFormValues = (user: UserProfile): UserValues => ({
  username: user.username,
  displayName: user.display_name,
  password: "",
  role: String(user.role),
  group: user.group,
});

export const toCreateBody = (values: UserValues): UserCreateBody => ({
  username: values.username,
  display_name: values.displayName,
  password: values.password,
  role: Number(values.role),
});

/** Only what was changed, so that two admins at one user do not undo each other. */
export function toUpdateBody(user: UserProfile, values: UserValues): UserUpdateBody {
  return {
    id: user.id,
    ...(values.username === user.username ? {} : { username: values.username }),
    ...(values.displayName === user.display_name ? {} : { display_name: values.displayName }),
    ...(values.group === user.group ? {} : { group: values.group }),
    ...(values.password === "" ? {} : { password: values.password }),
  };
}
