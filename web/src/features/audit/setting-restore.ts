import type { AuditEntry } from "@turnpike/contract/api/audit";
import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import { isPriceKey } from "@turnpike/contract/options/price-options";
import { isRecord } from "../../lib/record.ts";

type Values = Readonly<Record<string, unknown>>;

function parse(json: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRestorable = (key: string): boolean =>
  Object.hasOwn(OPTIONS, key) && !isPriceKey(key) && !("secret" in OPTIONS[key as keyof typeof OPTIONS]);

/** The values of settings before and after a change; undefined for other actions, and where a value is secret, cut or a price. */
export function readSettingChange(entry: AuditEntry): { readonly before: Values; readonly after: Values } | undefined {
  if (entry.action !== "option.set") return undefined;
  const [before, after] = [parse(entry.before), parse(entry.after)];
  if (!before || !after || Object.keys(after).length === 0) return undefined;
  return Object.keys(after).every(isRestorable) ? { before, after } : undefined;
}

/** A table with the entries that the change replaced, removed or added as they were before it; other entries stay. */
function restoreTable(current: string, before: Values, after: Values): string {
  const table = { ...parse(current) };
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) delete table[name];
  return JSON.stringify({ ...table, ...before });
}

/** The settings to store so that a change is undone; `current` are the values in force. */
export function toRestoredOptions(
  { before, after }: { readonly before: Values; readonly after: Values },
  current: Readonly<Record<string, string>>,
): { key: string; value: string }[] {
  return Object.keys(after).flatMap((key) => {
    const [old, next] = [before[key], after[key]];
    if (typeof old === "string") return [{ key, value: old }];
    if (!isRecord(old) || !isRecord(next)) return [];
    return [{ key, value: restoreTable(current[key] ?? "{}", old, next) }];
  });
}
