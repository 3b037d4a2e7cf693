import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { optionsChanged } from "@turnpike/shared/events/auth";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Actor } from "@turnpike/shared/grpc/context";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { AuditLog } from "../audit/audit-log.ts";
import { type OptionChange, toAuditTexts } from "./option-change.ts";
import { isSecretOption } from "./option-reader.ts";
import { createOptionRules } from "./option-rules.ts";
import type { OptionStore } from "./option-store.ts";

export type OptionWriter = ReturnType<typeof createOptionWriter>;

/** A value to store, or undefined to restore the default. */
type NewValue = { readonly key: OptionKey; readonly value: string | undefined };

/** The only way to change options: the values, the next revision and the audit row in one transaction, then one event. */
export function createOptionWriter(deps: {
  mongo: Connection;
  store: OptionStore;
  audit: AuditLog;
  bus: Pick<Bus, "notify">;
  secretBox: SecretBox;
}) {
  const { mongo, store, audit, bus, secretBox } = deps;
  const rules = createOptionRules(store);

  const write = async ({ key, value }: NewValue, session: ClientSession): Promise<void> => {
    if (value === undefined) return store.remove(key, session);
    await store.write(key, isSecretOption(key) && value !== "" ? secretBox.seal(value) : value, session);
  };
  const announce = (revision: number, keys: OptionKey[]): void => bus.notify(optionsChanged, { revision, keys });
  // Writes everything before checking anything, so that values that depend on each other can be in one change in any
  // order.
  const change = async (actor: Actor, values: readonly NewValue[]): Promise<number> => {
    const keys = values.map(({ key }) => key);
    const newRevision = await inTransaction(mongo, async (session) => {
      const revision = await store.nextRevision(session);
      for (const key of keys) await rules.checkAccess(key, actor, session);
      const changes: OptionChange[] = [];
      for (const next of values) {
        const before = await rules.readStored(next.key, session);
        changes.push({ key: next.key, before, after: next.value ?? OPTIONS[next.key].default });
        await write(next, session);
      }
      for (const { key, after } of changes) {
        await rules.checkNeeds(key, after, session);
        await rules.checkNotInUse(key, after, session);
      }
      await rules.checkRoutes(keys, session);
      const target = `option:${keys.join(",")}`;
      await audit.record({ actor, action: "option.set", target, ...toAuditTexts(changes) }, session);
      return revision;
    });
    announce(newRevision, keys);
    return newRevision;
  };
  return {
    /** Stores checked values and returns their revision; throws option_needs, option_in_use, option_forbidden, and then stores none. */
    change,
    /** Stores values within the caller's transaction; the caller publishes the change afterwards with `announce`. */
    async setWithin(session: ClientSession, values: readonly { key: OptionKey; value: string }[]): Promise<number> {
      const revision = await store.nextRevision(session);
      for (const value of values) await write(value, session);
      return revision;
    },
    announce,
  };
}
