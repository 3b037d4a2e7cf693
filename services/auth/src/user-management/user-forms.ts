import { AppError } from "@turnpike/shared/errors/app-error";
import { hashPassword } from "../users/password-hash.ts";
import { parseDisplayName, parseGroup, parsePassword, parseUsername, toNameKey } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import { checkCreatedRole } from "../users/user-rules.ts";
import type { UserWrite } from "../users/user-store.ts";

export type NewUserForm = {
  readonly username: string;
  readonly password: string;
  readonly displayName: string;
  readonly role: number;
};
export type UserEdit = {
  readonly id: number;
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  readonly group?: string | undefined;
  readonly password?: string | undefined;
  /** A note for administrators; empty removes it. */
  readonly adminNote?: string | undefined;
};

const NOTE_LENGTH_MAX = 2_000;

function parseNote(raw: string): string {
  const note = raw.trim();
  if (note.length > NOTE_LENGTH_MAX)
    throw new AppError("invalid_input", `the note is longer than ${NOTE_LENGTH_MAX} characters`, {
      params: { detail: "admin_note" },
    });
  return note;
}

/** Parses the form of a new user; throws the error of the first invalid field, or user_create_level_too_high. */
export async function readNewUserForm(actorRole: number, form: NewUserForm) {
  if (form.username.trim() === "" || form.password === "")
    throw new AppError("credentials_required", "user name or password is empty");
  const username = parseUsername(form.username);
  const password = parsePassword(form.password);
  const displayName = parseDisplayName(form.displayName, username);
  const role = checkCreatedRole(actorRole, form.role);
  return { username, displayName, role, passwordHash: await hashPassword(password), mustChangePassword: true };
}

/** The profile fields that an edit changes; throws when one is invalid. */
export function toProfileWrite(edit: Omit<UserEdit, "id" | "password">, target: UserDoc): UserWrite["set"] {
  const username = edit.username === undefined ? target.username : parseUsername(edit.username);
  const displayName =
    edit.displayName === undefined ? target.displayName : parseDisplayName(edit.displayName, username);
  const adminNote = edit.adminNote === undefined ? (target.adminNote ?? "") : parseNote(edit.adminNote);
  const group = edit.group === undefined ? target.group : parseGroup(edit.group);
  return {
    ...(username === target.username ? {} : { username, usernameLower: toNameKey(username) }),
    ...(displayName === target.displayName ? {} : { displayName }),
    ...(group === target.group ? {} : { group }),
    ...(adminNote === (target.adminNote ?? "") ? {} : { adminNote }),
  };
}
