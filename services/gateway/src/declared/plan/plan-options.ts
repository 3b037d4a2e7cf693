import type { DeclaredDrift, DeclaredObject } from "@turnpike/contract/api/declared";
import type { PriceChangesBody } from "@turnpike/contract/api/prices/price-revisions";
import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import type { PriceKey } from "@turnpike/contract/options/price-options";
import type { ResolvedOption, ResolvedPrice } from "../configuration.ts";
import { GROUP_OPTIONS } from "../option-values.ts";
import { readSecretMarks, type SecretMarks } from "../site.ts";
import { type Part, type Planning, plainObject, secretField, type Step, toFingerprint } from "./step.ts";
import { parseJson, parseTable, show, toCanonical } from "../values.ts";

type PriceOptionChange = PriceChangesBody["changes"][number];
type OptionRow = { readonly key: string; readonly value: string };

const OPTIONS_A_CALL = 300;

const isEqual = ({ type }: OptionDefinition, declared: string, actual: string): boolean =>
  type === "json" ? toCanonical(parseJson(declared)) === toCanonical(parseJson(actual)) : declared === actual;

/** An option as it is declared, with the mark that the site has for a secret. */
const toObject = (
  planning: Planning,
  key: OptionKey,
  { text, isSecret }: ResolvedOption,
  marks: SecretMarks,
): DeclaredObject => ({
  ...plainObject("option", key),
  fingerprint: toFingerprint(planning, `option/${key}`, isSecret ? text : undefined),
  mark: isSecret ? (marks[key] ?? "") : "",
});

/**
 * Whether the site has the secret of the last apply. A report of an earlier version has no marks: its secrets count as
 * they are until the next apply.
 */
function isSecretApplied({ before }: Planning, name: string, object: DeclaredObject): boolean {
  const applied = before.get(name);
  if (object.mark === "" || applied?.fingerprint !== object.fingerprint) return false;
  return applied.mark === "" || applied.mark === object.mark;
}

/** The difference of one option; its object when there is none. */
function compareOption(planning: Planning, key: OptionKey, declared: ResolvedOption): DeclaredDrift | DeclaredObject {
  const { site } = planning;
  const { text, isSecret } = declared;
  const object = toObject(planning, key, declared, site.secretMarks);
  const drift = { kind: "option", name: key, action: "update" } as const;
  if (isSecret)
    return isSecretApplied(planning, `option/${key}`, object) ? object : { ...drift, fields: [secretField("value")] };
  const definition: OptionDefinition = OPTIONS[key];
  const actual = site.options.get(key) ?? definition.default;
  if (isEqual(definition, text, actual)) return object;
  return { ...drift, fields: [{ field: "value", declared: show(text), actual: show(actual) }] };
}

/** The parts of the groups in the tables of two options that belong to auth. */
function planGroupOptions({ configuration, site }: Planning): { rows: OptionRow[]; drifts: DeclaredDrift[] } {
  const usable = parseTable<string>(site.options.get(GROUP_OPTIONS.description) ?? "");
  const topup = parseTable<number>(site.options.get(GROUP_OPTIONS.topup) ?? "");
  const drifts: DeclaredDrift[] = [];
  const next = { usable: { ...usable }, topup: { ...topup } };
  for (const [name, { description, topup_ratio: ratio }] of configuration.groups) {
    const fields = [];
    if (usable[name] !== description) {
      fields.push({ field: "description", declared: show(description), actual: show(usable[name]) });
      if (description === undefined) delete next.usable[name];
      else next.usable[name] = description;
    }
    // A group without an entry pays the plain price.
    if ((topup[name] ?? 1) !== ratio) {
      fields.push({ field: "topup_ratio", declared: show(ratio), actual: show(topup[name]) });
      next.topup[name] = ratio;
    }
    if (fields.length > 0) drifts.push({ kind: "group", name, action: "update", fields });
  }
  const toRow = (key: string, before: object, after: object): OptionRow[] =>
    toCanonical(before) === toCanonical(after) ? [] : [{ key, value: JSON.stringify(after) }];
  return {
    drifts,
    rows: [...toRow(GROUP_OPTIONS.description, usable, next.usable), ...toRow(GROUP_OPTIONS.topup, topup, next.topup)],
  };
}

/** Options and the descriptions of groups: at most 300 in a request, which stores all or none. */
export function planOptions(planning: Planning): Part {
  const { configuration, console } = planning;
  const objects: DeclaredObject[] = [];
  const groups = planGroupOptions(planning);
  const drifts: DeclaredDrift[] = [];
  const rows: (readonly [OptionKey, ResolvedOption])[] = [];
  for (const [key, declared] of configuration.options) {
    const found = compareOption(planning, key, declared);
    if ("id" in found) objects.push(found);
    else {
      drifts.push(found);
      rows.push([key, declared]);
    }
  }
  const steps: Step[] = [];
  if (groups.rows.length > 0)
    steps.push({
      changes: groups.drifts,
      run: async () => {
        await console.put("/api/option/batch", { options: groups.rows });
        return [];
      },
    });
  for (let start = 0; start < rows.length; start += OPTIONS_A_CALL) {
    const part = rows.slice(start, start + OPTIONS_A_CALL);
    steps.push({
      changes: drifts.slice(start, start + OPTIONS_A_CALL),
      async run() {
        await console.put("/api/option/batch", { options: part.map(([key, { text }]) => ({ key, value: text })) });
        const hasSecrets = part.some(([, { isSecret }]) => isSecret);
        const marks = hasSecrets ? await readSecretMarks(console) : {};
        return part.map(([key, declared]) => toObject(planning, key, declared, marks));
      },
    });
  }
  return { steps, objects };
}

type PricePart = {
  readonly change: PriceOptionChange | undefined;
  readonly drifts: DeclaredDrift[];
  readonly objects: DeclaredObject[];
};

/** Entries of a table that differ from the prices in force, the built-in ones included. */
function compareEntries(key: PriceKey, declared: Readonly<Record<string, unknown>>, actual: string): PricePart {
  const table = parseTable(actual);
  const set: Record<string, unknown> = {};
  const drifts: DeclaredDrift[] = [];
  const objects: DeclaredObject[] = [];
  for (const [entry, value] of Object.entries(declared)) {
    const name = `${key}/${entry}`;
    objects.push(plainObject("price", name));
    if (toCanonical(value) === toCanonical(table[entry])) continue;
    set[entry] = value;
    const action = Object.hasOwn(table, entry) ? "update" : "create";
    drifts.push({
      kind: "price",
      name,
      action,
      fields: [{ field: "value", declared: show(value), actual: show(table[entry]) }],
    });
  }
  return { change: drifts.length === 0 ? undefined : ({ key, set } as PriceOptionChange), drifts, objects };
}

function comparePrice(key: PriceKey, declared: ResolvedPrice, actual: string): PricePart {
  if ("entries" in declared) return compareEntries(key, declared.entries, actual);
  const objects = [plainObject("price", key)];
  if (declared.text === actual) return { change: undefined, drifts: [], objects };
  const fields = [{ field: "value", declared: show(declared.text), actual: show(actual) }];
  return {
    change: { key, value: declared.text },
    drifts: [{ kind: "price", name: key, action: "update", fields }],
    objects,
  };
}

/** Prices and the ratios of groups: one request, which stores all or none. */
export function planPrices({ configuration, site, console }: Planning): Part {
  const read = (key: PriceKey): string => site.options.get(key) ?? OPTIONS[key].default;
  const parts = [...configuration.prices].map(([key, declared]) => comparePrice(key, declared, read(key)));
  const ratios = Object.fromEntries([...configuration.groups].map(([name, { ratio }]) => [name, ratio]));
  const groups = compareEntries(GROUP_OPTIONS.ratio, ratios, read(GROUP_OPTIONS.ratio));
  const toGroup = (name: string): string => name.slice(GROUP_OPTIONS.ratio.length + 1);
  const drifts = [
    ...parts.flatMap((part) => part.drifts),
    ...groups.drifts.map((drift) => ({
      ...drift,
      kind: "group" as const,
      name: toGroup(drift.name),
      fields: drift.fields.map((field) => ({ ...field, field: "ratio" })),
    })),
  ];
  const objects = [
    ...parts.flatMap((part) => part.objects),
    ...[...configuration.groups.keys()].map((name) => plainObject("group", name)),
  ];
  const changes = [...parts, groups].flatMap(({ change }) => change ?? []);
  if (changes.length === 0) return { steps: [], objects };
  const changed = new Set(drifts.map(({ kind, name }) => `${kind}/${name}`));
  return {
    objects: objects.filter(({ kind, name }) => !changed.has(`${kind}/${name}`)),
    steps: [
      {
        changes: drifts,
        async run() {
          // The file was reviewed: a large change of a catalogue's price needs no second confirmation.
          await console.put("/api/option/prices", { changes, confirmed: true });
          return objects.filter(({ kind, name }) => changed.has(`${kind}/${name}`));
        },
      },
    ],
  };
}
