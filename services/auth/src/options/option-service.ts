import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { mayChangeOption, mayReadOption } from "@turnpike/contract/options/option-permissions";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { optionsChanged } from "@turnpike/shared/events/auth";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { AuditLog } from "../audit/audit-log.ts";
import { parseOptionKey } from "./option-access.ts";
import { checkValue, getDependants, getRequirements, type OptionChange, toAuditTexts } from "./option-change.ts";
import { isSecretOption, type OptionReader } from "./option-reader.ts";
import type { OptionStore, StoredOption } from "./option-store.ts";

export type OptionService = ReturnType<typeof createOptionService>;
const SECRET_KEYS = (Object.keys(OPTIONS) as OptionKey[]).filter(isSecretOption);
/** The most options of one change; the registry has some 200. */
const CHANGES_MAX = 300;
/** A value to store, or undefined to restore the default. */
type Wanted = { readonly key: OptionKey; readonly value: string | undefined };

const invalid = (detail: string): AppError =>
  new AppError("invalid_input", "the change of options is not valid", { params: { detail } });

/** The rules of the site's settings. */
export function createOptionService(deps: {
  mongo: Connection;
  store: OptionStore;
  reader: OptionReader;
  audit: AuditLog;
  bus: Pick<Bus, "notify">;
  secretBox: SecretBox;
}) {
  const { mongo, store, reader, audit, bus, secretBox } = deps;

  // A secret stays encrypted: only its presence matters here, and a value encrypted with a lost key must be
  // replaceable.
  const readStored = async (key: OptionKey, session: ClientSession): Promise<string> =>
    (await store.read(key, session)) ?? OPTIONS[key].default;
  const writePlain = async ({ key, value }: Wanted, session: ClientSession): Promise<void> => {
    if (value === undefined) return store.remove(key, session);
    await store.write(key, isSecretOption(key) && value !== "" ? secretBox.seal(value) : value, session);
  };
  const isEmpty = async (keys: readonly OptionKey[], session: ClientSession): Promise<boolean> => {
    for (const key of keys) if ((await readStored(key, session)).trim() !== "") return false;
    return true;
  };
  const checkNeeds = async (key: OptionKey, value: string, session: ClientSession): Promise<void> => {
    const missing: string[] = [];
    for (const group of getRequirements(key, value)) if (await isEmpty(group, session)) missing.push(group.join(" / "));
    if (missing.length === 0) return;
    const needs = missing.join(", ");
    throw new AppError("option_needs", `${key} needs ${needs}`, { params: { key, needs } });
  };
  /** An option that an enabled switch depends on cannot be cleared. */
  const checkNotInUse = async (key: OptionKey, value: string, session: ClientSession): Promise<void> => {
    if (value.trim() !== "") return;
    for (const { by, group } of getDependants(key)) {
      const others = group.filter((other) => other !== key);
      if ((await readStored(by, session)) === "true" && (await isEmpty(others, session)))
        throw new AppError("option_in_use", `${by} stands on ${key}`, { params: { key, by } });
    }
  };
  const checkAccess = async (key: OptionKey, actor: Actor, session: ClientSession): Promise<void> => {
    const isRootOnly = (await readStored("SecretOptionsRootOnly", session)) === "true";
    if (!mayChangeOption(key, actor.role, isRootOnly))
      throw new AppError("option_forbidden", `${key} is kept for root`);
  };
  // Everything is written before anything is checked, so that values that need each other can come in one change in any order.
  const change = async (actor: Actor, wanted: readonly Wanted[]): Promise<number> => {
    const keys = wanted.map(({ key }) => key);
    const revision = await inTransaction(mongo, async (session) => {
      const next = await store.nextRevision(session);
      for (const key of keys) await checkAccess(key, actor, session);
      const changes: OptionChange[] = [];
      for (const one of wanted) {
        const before = await readStored(one.key, session);
        changes.push({ key: one.key, before, after: one.value ?? OPTIONS[one.key].default });
        await writePlain(one, session);
      }
      for (const { key, after } of changes) {
        await checkNeeds(key, after, session);
        await checkNotInUse(key, after, session);
      }
      const target = `option:${keys.join(",")}`;
      await audit.record({ actor, action: "option.set", target, ...toAuditTexts(changes) }, session);
      return next;
    });
    bus.notify(optionsChanged, { revision, keys });
    return revision;
  };
  const parseWanted = ({ key: rawKey, value: rawValue }: StoredOption): { key: OptionKey; value: string } => {
    const key = parseOptionKey(rawKey);
    const value = normalizeOption(OPTIONS[key], rawValue);
    checkValue(key, value);
    return { key, value };
  };
  return {
    /**
     * Stores a checked value and returns the revision in which it takes effect; throws option_unknown, option_invalid,
     * option_needs, option_in_use, option_forbidden.
     */
    set: async (actor: Actor, key: string, value: string): Promise<number> =>
      change(actor, [parseWanted({ key, value })]),
    /** Stores several values as one change: one revision, one event, one audit row; throws as `set`, and then stores none. */
    async setAll(actor: Actor, options: readonly StoredOption[]): Promise<number> {
      if (options.length === 0 || options.length > CHANGES_MAX)
        throw invalid(`a change holds 1 to ${CHANGES_MAX} options`);
      const wanted = options.map(parseWanted);
      const repeated = wanted.find(({ key }, index) => wanted.findIndex((other) => other.key === key) !== index);
      if (repeated) throw invalid(`${repeated.key} is repeated`);
      return change(actor, wanted);
    },
    /** Resets ModelRatio to the built-in table. */
    resetModelRatio: (actor: Actor): Promise<number> => change(actor, [{ key: "ModelRatio", value: undefined }]),
    /** Every option this role may see, except secrets. */
    async list(role: number): Promise<StoredOption[]> {
      const { options, inForce } = await reader.snapshot();
      const isRootOnly = inForce.flag("SecretOptionsRootOnly");
      return options.filter(({ key }) => mayReadOption(parseOptionKey(key), role, isRootOnly));
    },
    /** Which of the secret options this role may change are set. */
    async secretStates(role: number): Promise<Record<string, boolean>> {
      const isRootOnly = (await reader.inForce()).flag("SecretOptionsRootOnly");
      const set = new Set((await store.readAll()).flatMap(({ key, value }) => (value === "" ? [] : [key])));
      const mine = SECRET_KEYS.filter((key) => mayChangeOption(key, role, isRootOnly));
      return Object.fromEntries(mine.map((key) => [key, set.has(key)]));
    },
    /** Stores values within the caller's transaction; the caller publishes the change afterwards with `announce`. */
    async setWithin(session: ClientSession, values: readonly { key: OptionKey; value: string }[]): Promise<number> {
      const revision = await store.nextRevision(session);
      for (const value of values) await writePlain(value, session);
      return revision;
    },
    announce(revision: number, keys: OptionKey[]): void {
      bus.notify(optionsChanged, { revision, keys });
    },
  };
}
