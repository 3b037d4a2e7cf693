import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";

const DISPLAY_NAME_LENGTH_MAX = 20;
const GROUP_LENGTH_MAX = 64;
/** The longest password that sign-in checks: 20 characters of up to 4 bytes, and older ones of up to 72 bytes. */
export const PASSWORD_STORED_BYTES_MAX = 80;

/** Length in visible characters: an emoji or a rare Han character is one. */
const getLength = (text: string): number => Array.from(text).length;
const hasInvisible = (text: string): boolean => /\p{C}/u.test(text);

/** The normalized form for comparing names: case and width do not distinguish users. */
export const toNameKey = (name: string): string => name.normalize("NFKC").toLowerCase();

/** A user name as stored; undefined unless it has 1 to 20 visible characters. */
export function readUsername(raw: string): string | undefined {
  const name = raw.normalize("NFC").trim();
  return name === "" || getLength(name) > USERNAME_LENGTH_MAX || hasInvisible(name) ? undefined : name;
}

/** A user name as it is stored; throws username_invalid. */
export function parseUsername(raw: string): string {
  const name = readUsername(raw);
  if (name === undefined) throw new AppError("username_invalid", "the user name has not 1 to 20 characters");
  return name;
}

/** Whether a password has the minimum length of a new one. */
export const isPasswordLongEnough = (password: string): boolean => getLength(password) >= PASSWORD_LENGTH_MIN;

/** A new password, unchanged; throws password_too_short or password_too_long. */
export function parsePassword(password: string): string {
  if (!isPasswordLongEnough(password)) throw new AppError("password_too_short", "the password is too short");
  if (getLength(password) > PASSWORD_LENGTH_MAX) throw new AppError("password_too_long", "the password is too long");
  return password;
}

/** A display name, the user name when empty; throws display_name_too_long. */
export function parseDisplayName(raw: string, username: string): string {
  const name = raw.normalize("NFC").trim();
  if (getLength(name) > DISPLAY_NAME_LENGTH_MAX)
    throw new AppError("display_name_too_long", "the display name is too long");
  return name === "" ? username : name;
}

/** A group's name; throws group_name_invalid. */
export function parseGroup(raw: string): string {
  const group = raw.trim();
  if (group === "" || getLength(group) > GROUP_LENGTH_MAX || hasInvisible(group))
    throw new AppError("group_name_invalid", "the group's name is not valid");
  return group;
}
