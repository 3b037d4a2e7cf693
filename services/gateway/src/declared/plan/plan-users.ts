import { randomBytes } from "node:crypto";
import type { DeclaredDrift, DeclaredObject } from "@turnpike/contract/api/declared";
import type { UserProfile } from "@turnpike/contract/api/user";
import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import type { ResolvedUser } from "../configuration.ts";
import { compareFields, type Part, type Planning, plainObject, type Step } from "./step.ts";

const ROLE_NAMES: Readonly<Record<number, string>> = {
  [ROLE.user]: "user",
  [ROLE.admin]: "admin",
  [ROLE.root]: "root",
};

/** A user of the site as a file declares one. */
export const toDeclaredUser = (user: UserProfile) => ({
  role: ROLE_NAMES[user.role] ?? "user",
  group: user.group,
  status: user.status === USER_STATUS.banned ? "banned" : "active",
  display_name: user.display_name,
});

const toComparable = ({ role, group, status, display_name: displayName }: ResolvedUser) => ({
  role,
  group,
  status,
  ...(displayName === undefined ? {} : { display_name: displayName }),
});

/** A random password that is not kept: the user signs in another way, or an administrator sets one. */
const createPassword = (): string => randomBytes(15).toString("base64url").slice(0, 20);

const ACTIONS: Readonly<Record<string, string>> = {
  "role admin": "promote",
  "role user": "demote",
  "status banned": "disable",
  "status active": "enable",
};

async function change(
  { console }: Planning,
  declared: ResolvedUser,
  drift: DeclaredDrift & { readonly id: number },
): Promise<void> {
  const { group, display_name: displayName } = declared;
  const fields = new Map(drift.fields.map(({ field, declared }) => [field, declared]));
  if (fields.has("group") || fields.has("display_name"))
    await console.put("/api/user/", {
      id: drift.id,
      group,
      ...(displayName === undefined ? {} : { display_name: displayName }),
    });
  for (const field of ["role", "status"]) {
    const action = ACTIONS[`${field} ${fields.get(field) ?? ""}`];
    if (action !== undefined) await console.post("/api/user/manage", { id: drift.id, action });
    else if (fields.has(field)) throw new Error("root is created at set-up and keeps its role");
  }
}

function planCreation(planning: Planning, declared: ResolvedUser, ids: Map<string, number>): Step {
  const name = declared.username;
  const drift: DeclaredDrift = { kind: "user", name, action: "create", fields: [] };
  return {
    changes: [drift],
    async run() {
      if (declared.role === "root") throw new Error(`user ${name}: root is created at set-up`);
      const made = await planning.console.post<{ id: number }>("/api/user/", {
        username: name,
        password: declared.secret ?? createPassword(),
        display_name: declared.display_name ?? name,
        role: declared.role === "admin" ? ROLE.admin : ROLE.user,
      });
      ids.set(name.toLowerCase(), made.id);
      const rest = compareFields(
        { group: declared.group, status: declared.status },
        { group: "default", status: "active" },
      );
      await change(planning, declared, { ...drift, id: made.id, fields: rest });
      return [plainObject("user", name, made.id)];
    },
  };
}

/** Users: created or changed one by one. `ids` receives the ids of all, by name in lower case. */
export function planUsers(planning: Planning, ids: Map<string, number>): Part {
  const steps: Step[] = [];
  const objects: DeclaredObject[] = [];
  for (const declared of planning.configuration.users) {
    const user = planning.site.users.get(declared.username.toLowerCase());
    if (!user) {
      steps.push(planCreation(planning, declared, ids));
      continue;
    }
    ids.set(declared.username.toLowerCase(), user.id);
    const object = plainObject("user", declared.username, user.id);
    const fields = compareFields(toComparable(declared), toDeclaredUser(user));
    if (fields.length === 0) {
      objects.push(object);
      continue;
    }
    const drift: DeclaredDrift = { kind: "user", name: declared.username, action: "update", fields };
    steps.push({
      changes: [drift],
      async run() {
        await change(planning, declared, { ...drift, id: user.id });
        return [object];
      },
    });
  }
  return { steps, objects };
}
