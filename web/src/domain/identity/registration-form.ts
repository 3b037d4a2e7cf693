import type { RegisterBody } from "@turnpike/contract/api/identity";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import type { Problems } from "../../hooks/use-small-form.ts";
import { text } from "../../lib/i18n-source.ts";

/** The form before anything is entered. */
export const EMPTY_REGISTRATION = { username: "", password: "", password2: "", email: "", code: "", aff: "" };
export type Registration = typeof EMPTY_REGISTRATION;

/** What is wrong with a password that somebody chooses, as a source sentence. */
export function findPasswordProblem({ length }: string): string | undefined {
  if (length < PASSWORD_LENGTH_MIN) return text("密码长度至少为8个字符");
  return length > PASSWORD_LENGTH_MAX ? text("密码长度不能超过20个字符") : undefined;
}

/** What is wrong with a user name that somebody chooses, as a source sentence. */
export function findUsernameProblem(username: string): string | undefined {
  const { length } = username.trim();
  if (length === 0) return text("请输入用户名");
  return length > USERNAME_LENGTH_MAX ? text("用户名长度必须为1到20个字符") : undefined;
}

/** What is wrong with an e-mail address, as a source sentence. The server and the mail itself know better. */
export const findEmailProblem = (email: string): string | undefined =>
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : text("请输入有效的邮箱地址");

/** What is wrong with a registration; the e-mail counts where the site verifies it. */
export const findRegistrationProblems =
  (withEmail: boolean) =>
  ({ username, password, password2, email, code }: Registration): Problems<Registration> => ({
    username: findUsernameProblem(username),
    password: findPasswordProblem(password),
    password2: password === password2 ? undefined : text("两次输入的密码不一致"),
    email: withEmail ? findEmailProblem(email) : undefined,
    code: withEmail && code.trim() === "" ? text("请输入验证码") : undefined,
  });

/** The form as the wire has it. */
export const toRequestBody = ({ username, password, password2, email, code, aff }: Registration): RegisterBody => ({
  username: username.trim(),
  password,
  password2,
  email: email.trim(),
  verification_code: code.trim(),
  aff_code: aff.trim(),
});
