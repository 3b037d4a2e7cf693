import type { RegisterBody } from "@turnpike/contract/api/identity";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { z } from "zod/mini";
import { text } from "../../lib/text/i18n-source.ts";

/** The form before anything is entered. */
export const EMPTY_REGISTRATION = { username: "", password: "", password2: "", email: "", code: "", aff: "" };
export type Registration = typeof EMPTY_REGISTRATION;

/** A password that a user chooses. */
export const Password = z
  .string()
  .check(
    z.minLength(PASSWORD_LENGTH_MIN, text("密码长度至少为8个字符")),
    z.maxLength(PASSWORD_LENGTH_MAX, text("密码长度不能超过20个字符")),
  );

/** A user name that a user chooses. */
export const Username = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, text("请输入用户名")),
    z.maxLength(USERNAME_LENGTH_MAX, text("用户名长度必须为1到20个字符")),
  );

/** An e-mail address, checked loosely: only a delivered message proves that it exists. */
export const Email = z.string().check(z.trim(), z.regex(/^[^\s@]+@[^\s@]+$/, text("请输入有效的邮箱地址")));
export const isEmail = (value: string): boolean => Email.safeParse(value).success;

/** A verification code, from a mail or an authenticator. */
export const Code = z.string().check(z.trim(), z.minLength(1, text("请输入验证码")));

const fields = {
  username: Username,
  password: Password,
  password2: z.string(),
  email: z.string(),
  code: z.string(),
  aff: z.string(),
};
const repeatsPassword = z.refine<Pick<Registration, "password" | "password2">>(
  ({ password, password2 }) => password === password2,
  { path: ["password2"], error: text("两次输入的密码不一致") },
);

/** The registration form. */
export const RegistrationForm = z.object(fields).check(repeatsPassword);
/** The registration form of a site that verifies e-mail addresses. */
export const VerifiedRegistrationForm = z.object({ ...fields, email: Email, code: Code }).check(repeatsPassword);

/** The form as the wire has it. */
export const toRequestBody = ({ username, password, password2, email, code, aff }: Registration): RegisterBody => ({
  username: username.trim(),
  password,
  password2,
  email: email.trim(),
  verification_code: code.trim(),
  aff_code: aff.trim(),
});
