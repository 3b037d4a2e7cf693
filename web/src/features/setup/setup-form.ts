import type { SetupBody } from "@turnpike/contract/api/status";
import { USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { z } from "zod/mini";
import { Password } from "../../domain/identity/registration-form.ts";
import { text } from "../../lib/text/i18n-source.ts";

export const USAGE_MODES = ["external", "self", "demo"] as const;
export type UsageMode = (typeof USAGE_MODES)[number];

/** The form before anything is entered. Values are text. */
export const EMPTY_SETUP = { username: "", password: "", confirmPassword: "", mode: "external" };

/** The form when the root user was created at start: it has only the mode, which is always valid. */
export const ModeForm = z.object({
  username: z.string(),
  password: z.string(),
  confirmPassword: z.string(),
  mode: z.string(),
});

/** The form while there is no root user yet. */
export const RootSetupForm = z
  .extend(ModeForm, {
    username: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, text("请输入管理员用户名")),
        z.maxLength(USERNAME_LENGTH_MAX, text("用户名长度必须为1到20个字符")),
      ),
    password: Password,
  })
  .check(
    z.refine(({ password, confirmPassword }) => password === confirmPassword, {
      path: ["confirmPassword"],
      error: text("两次输入的密码不一致"),
    }),
  );

/** The form in wire format. */
export const toRequestBody = ({ mode: chosen, username, ...passwords }: typeof EMPTY_SETUP): SetupBody => ({
  username: username.trim(),
  ...passwords,
  SelfUseModeEnabled: chosen === "self",
  DemoSiteEnabled: chosen === "demo",
});
