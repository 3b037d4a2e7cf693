import type { DeclaredDrift, DeclaredObject } from "@turnpike/contract/api/declared";
import type { Token } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import type { ResolvedToken, ResolvedUser } from "../configuration.ts";
import {
  compareFields,
  matchObjects,
  type Part,
  type Planning,
  plainObject,
  secretField,
  type Step,
  toFingerprint,
} from "./step.ts";
import { toDeclaredToken, toTokenBody } from "../token-form.ts";

const STATUS = { enabled: TOKEN_STATUS.enabled, disabled: TOKEN_STATUS.disabled } as const;

/** A declared token, its owner, and the token that it is on the site. */
type Case = { readonly declared: ResolvedToken; readonly owner: ResolvedUser; readonly token: Token | undefined };
type Ids = ReadonlyMap<string, number>;

const toObject = (planning: Planning, declared: ResolvedToken, id: number): DeclaredObject => ({
  ...plainObject("token", declared.label, id),
  fingerprint: toFingerprint(planning, `token/${declared.label}`, declared.secret),
});

function toComparable({ label: _label, secret: _secret, key: _key, ...fields }: ResolvedToken) {
  const { expires_at: time } = fields;
  return {
    ...fields,
    expires_at: time === undefined ? undefined : new Date(Math.floor(Date.parse(time) / 1_000) * 1_000).toISOString(),
  };
}

const getUserId = (ids: Ids, { username }: ResolvedUser): number => {
  const id = ids.get(username.toLowerCase());
  if (id === undefined) throw new Error(`user ${username} does not exist`);
  return id;
};

/** Creates the token, or finds the token of the user that has the key. */
async function create({ console }: Planning, { declared, owner }: Case, ids: Ids): Promise<Token> {
  const userId = getUserId(ids, owner);
  const made = await console.post<Token>("/api/declared/tokens", {
    ...toTokenBody(declared, { remaining: declared.budget?.quota ?? 0, used: 0 }),
    user_id: userId,
    key: declared.secret ?? "",
  });
  if (declared.status === "disabled" && made.status === TOKEN_STATUS.enabled)
    await console.put("/api/declared/tokens", { user_id: userId, id: made.id, status: TOKEN_STATUS.disabled });
  return made;
}

/** Writes the form over the token as it is at this moment, because calls spend its quota all the time. */
async function update(
  { console }: Planning,
  declared: ResolvedToken,
  token: Pick<Token, "id" | "user_id">,
): Promise<void> {
  const all = await console.get<Token[]>(`/api/declared/tokens?user_ids=${token.user_id}`);
  const now = all.find(({ id }) => id === token.id);
  if (!now) throw new Error(`token ${declared.label} was deleted meanwhile`);
  const left = { remaining: now.remain_quota, used: now.used_quota };
  const about = { user_id: token.user_id, id: token.id };
  await console.put("/api/declared/tokens", { ...toTokenBody(declared, left), ...about });
  if (toDeclaredToken(now).status !== declared.status)
    await console.put("/api/declared/tokens", { ...about, status: STATUS[declared.status] });
}

/** A token whose key is another one than declared is replaced: the new key works before the old one stops. */
async function replaceKey(planning: Planning, it: Case & { readonly token: Token }, ids: Ids): Promise<Token> {
  const made = await create(planning, it, ids);
  if (made.id === it.token.id) await update(planning, it.declared, it.token);
  else await planning.console.delete(`/api/declared/tokens/${it.token.id}?user_id=${it.token.user_id}`);
  return made;
}

function planToken(planning: Planning, it: Case, ids: Ids): Step | DeclaredObject {
  const { declared, token } = it;
  const name = declared.label;
  if (!token)
    return {
      changes: [{ kind: "token", name, action: "create", fields: [] }],
      run: async () => [toObject(planning, declared, (await create(planning, it, ids)).id)],
    };
  const object = toObject(planning, declared, token.id);
  const before = planning.before.get(`token/${name}`);
  const hasNewKey =
    declared.secret !== undefined && (before?.fingerprint !== object.fingerprint || before.id !== token.id);
  const fields = compareFields(toComparable(declared), toDeclaredToken(token));
  if (fields.length === 0 && !hasNewKey) return object;
  const drift: DeclaredDrift = {
    kind: "token",
    name,
    action: "update",
    fields: hasNewKey ? [...fields, secretField("key")] : fields,
  };
  return {
    changes: [drift],
    async run() {
      if (hasNewKey) return [toObject(planning, declared, (await replaceKey(planning, { ...it, token }, ids)).id)];
      await update(planning, declared, token);
      return [object];
    },
  };
}

/** Tokens of the declared users. `ids` has the ids of the users by name in lower case when the steps run. */
export function planTokens(planning: Planning, ids: Ids): Part {
  const steps: Step[] = [];
  const objects: DeclaredObject[] = [];
  for (const owner of planning.configuration.users) {
    const user = planning.site.users.get(owner.username.toLowerCase());
    const tokens = user ? (planning.site.tokens.get(user.id) ?? []) : [];
    const matches = matchObjects(owner.tokens, tokens, (label) => planning.before.get(`token/${label}`)?.id);
    for (const declared of owner.tokens) {
      const planned = planToken(planning, { declared, owner, token: matches.get(declared) }, ids);
      if ("run" in planned) steps.push(planned);
      else objects.push(planned);
    }
  }
  return { steps, objects };
}
