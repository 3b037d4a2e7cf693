import type { SetupBody } from "@turnpike/contract/api/status";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { z } from "zod";
import { text } from "../../lib/i18n-source.ts";

export const USAGE_MODES = ["external", "self", "demo"] as const;
export type UsageMode = (typeof USAGE_MODES)[number];

const mode = z.enum(USAGE_MODES);

/** The form while there is no root user yet. */
export const NewRootForm = z
  .object({
    username: z
      .string()
      .trim()
      .min(1, text("请输入管理员用户名"))
      .max(USERNAME_LENGTH_MAX, text("用户名长度必须为1到20个字符")),
    password: z
      .string()
      .min(PASSWORD_LENGTH_MIN, text("密码长度至少为8个字符"))
      .max(PASSWORD_LENGTH_MAX, text("密码长度不能超过20个字符")),
    confirmPassword: z.string(),
    mode,
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ["confirmPassword"],
    error: text("两次输入的密码不一致"),
  });

/** The form when the root user was made at start: only the mode is asked. */
export const ModeForm = z.object({
  mode,
  username: z.string(),
  password: z.string(),
  confirmPassword: z.string(),
});

/** The form before anything is entered. Values are text; the schemas check them. */
export const EMPTY_SETUP = { username: "", password: "", confirmPassword: "", mode: "external" };

/** The form as the wire has it. */
export const bodyOf = ({ mode: chosen, username, ...passwords }: typeof EMPTY_SETUP): SetupBody => ({
  username: username.trim(),
  ...passwords,
  SelfUseModeEnabled: chosen === "self",
  DemoSiteEnabled: chosen === "demo",
});
