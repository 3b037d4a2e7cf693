import type { SetupBody } from "@turnpike/contract/api/status";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import type { Problems } from "../../hooks/use-small-form.ts";
import { text } from "../../lib/i18n-source.ts";

export const USAGE_MODES = ["external", "self", "demo"] as const;
export type UsageMode = (typeof USAGE_MODES)[number];

/** The form before anything is entered. Values are text. */
export const EMPTY_SETUP = { username: "", password: "", confirmPassword: "", mode: "external" };

type SetupValues = typeof EMPTY_SETUP;

function findUsernameProblem(username: string): string | undefined {
  const { length } = username.trim();
  if (length === 0) return text("请输入管理员用户名");
  return length > USERNAME_LENGTH_MAX ? text("用户名长度必须为1到20个字符") : undefined;
}

function findPasswordProblem({ length }: string): string | undefined {
  if (length < PASSWORD_LENGTH_MIN) return text("密码长度至少为8个字符");
  return length > PASSWORD_LENGTH_MAX ? text("密码长度不能超过20个字符") : undefined;
}

/** What is wrong with the form while there is no root user yet. */
export const findSetupProblems = ({ username, password, confirmPassword }: SetupValues): Problems<SetupValues> => ({
  username: findUsernameProblem(username),
  password: findPasswordProblem(password),
  confirmPassword: password === confirmPassword ? undefined : text("两次输入的密码不一致"),
});

/** The form when the root user was made at start asks only for the mode, which cannot be wrong. */
export const hasNoProblem = (): Problems<SetupValues> => ({});

/** The form as the wire has it. */
export const toRequestBody = ({ mode: chosen, username, ...passwords }: typeof EMPTY_SETUP): SetupBody => ({
  username: username.trim(),
  ...passwords,
  SelfUseModeEnabled: chosen === "self",
  DemoSiteEnabled: chosen === "demo",
});
