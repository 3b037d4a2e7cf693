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
import type { PriceHistory } from "../prices/price-history.ts";
import { parseOptionKey } from "./option-access.ts";
import { checkValue, getDependants, getRequirements, toAuditTexts } from "./option-change.ts";
import { isSecretOption, type OptionReader } from "./option-reader.ts";
import type { OptionStore, StoredOption } from "./option-store.ts";

export type OptionService = ReturnType<typeof createOptionService>;
const SECRET_KEYS = (Object.keys(OPTIONS) as OptionKey[]).filter(isSecretOption);
/** A value to store, or undefined to go back to the default. */
type Wanted = { readonly key: OptionKey; readonly value: string | undefined };

/** The rules of the site's settings. */
export function createOptionService(deps: {
  mongo: Connection;
  store: OptionStore;
  reader: OptionReader;
  audit: AuditLog;
  prices: Pick<PriceHistory, "record">;
  bus: Pick<Bus, "notify">;
  secretBox: SecretBox;
}) {
  const { mongo, store, reader, audit, prices, bus, secretBox } = deps;

  // A secret stays in its box: here it only matters whether there is one, and a box of a lost key must be replaceable.
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
  /** What a switch that is on stands on cannot be emptied. */
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
  const change = async (actor: Actor, wanted: Wanted): Promise<number> => {
    const { key } = wanted;
    const after = wanted.value ?? OPTIONS[key].default;
    const revision = await inTransaction(mongo, async (session) => {
      const next = await store.nextRevision(session);
      await checkAccess(key, actor, session);
      await checkNeeds(key, after, session);
      await checkNotInUse(key, after, session);
      const before = await readStored(key, session);
      await writePlain(wanted, session);
      await audit.record(
        { actor, action: "option.set", target: `option:${key}`, ...toAuditTexts(key, before, after) },
        session,
      );
      await prices.record(actor, { key, before, after }, session);
      return next;
    });
    bus.notify(optionsChanged, { revision, keys: [key] });
    return revision;
  };
  return {
    /**
     * Stores a checked value and answers the revision it is in force with; throws option_unknown, option_invalid, option_needs, option_in_use,
     * option_forbidden.
     */
    async set(actor: Actor, rawKey: string, rawValue: string): Promise<number> {
      const key = parseOptionKey(rawKey);
      const value = normalizeOption(OPTIONS[key], rawValue);
      checkValue(key, value);
      return change(actor, { key, value });
    },
    /** Puts ModelRatio back to the built-in table. */
    resetModelRatio: (actor: Actor): Promise<number> => change(actor, { key: "ModelRatio", value: undefined }),
    /** Every option this role may see; secrets are left out. */
    async list(role: number): Promise<StoredOption[]> {
      const { options, inForce } = await reader.snapshot();
      const isRootOnly = inForce.flag("SecretOptionsRootOnly");
      return options.filter(({ key }) => mayReadOption(parseOptionKey(key), role, isRootOnly));
    },
    /** Which of the secret options this role may change hold something. */
    async secretStates(role: number): Promise<Record<string, boolean>> {
      const isRootOnly = (await reader.inForce()).flag("SecretOptionsRootOnly");
      const set = new Set((await store.readAll()).flatMap(({ key, value }) => (value === "" ? [] : [key])));
      const mine = SECRET_KEYS.filter((key) => mayChangeOption(key, role, isRootOnly));
      return Object.fromEntries(mine.map((key) => [key, set.has(key)]));
    },
    /** Stores values within a transaction of the caller's, who tells about it afterwards with `announce`. */
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
