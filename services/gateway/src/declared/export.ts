import type { UserProfile } from "@turnpike/contract/api/user";
import { ROLE } from "@turnpike/contract/codes";
import { isOptionKey, type OptionDefinition, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { isPriceKey, PRICE_OPTIONS } from "@turnpike/contract/options/price-options";
import { stringify } from "yaml";
import { toDeclaredChannel } from "./channel-form.ts";
import { DeclaredChannel, DeclaredToken } from "./file-schema.ts";
import { GROUP_OPTIONS } from "./option-values.ts";
import { toDeclaredUser } from "./plan/plan-users.ts";
import type { Site } from "./site.ts";
import { toDeclaredToken } from "./token-form.ts";
import { parseJson, parseTable, toCanonical } from "./values.ts";

const GROUP_KEYS: ReadonlySet<string> = new Set(Object.values(GROUP_OPTIONS));

/** Gives each secret the name of an environment variable. */
function createReferences() {
  const taken = new Set<string>();
  return {
    names: taken,
    refer(...parts: readonly string[]): { readonly env: string } {
      const base = `TURNPIKE_${parts.join("_")}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
      let name = base;
      for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
      taken.add(name);
      return { env: name };
    },
  };
}
type References = ReturnType<typeof createReferences>;

/** The fields that are not what a missing field means. */
function withoutDefaults(fields: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && toCanonical(value) !== toCanonical(defaults[name]),
    ),
  );
}

const toValue = ({ type }: OptionDefinition, text: string): unknown => {
  if (type === "json") return parseJson(text) ?? text;
  if (type === "boolean") return text === "true";
  // A number that does not come back as it is stays text.
  return (type === "integer" || type === "number") && text !== "" && String(Number(text)) === text
    ? Number(text)
    : text;
};

const isChanged = (definition: OptionDefinition, text: string): boolean =>
  definition.type === "json"
    ? toCanonical(parseJson(text)) !== toCanonical(parseJson(definition.default))
    : text !== definition.default;

function exportOptions(site: Site, references: References): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [key, text] of site.options) {
    if (!isOptionKey(key) || isPriceKey(key) || GROUP_KEYS.has(key)) continue;
    const definition: OptionDefinition = OPTIONS[key];
    if (definition.secret !== true && isChanged(definition, text)) options[key] = toValue(definition, text);
  }
  for (const [key, mark] of Object.entries(site.secretMarks))
    if (mark !== "") options[key] = references.refer("option", key);
  return options;
}

function exportPrices(site: Site): Record<string, unknown> {
  const prices: Record<string, unknown> = {};
  for (const [key, text] of site.storedPrices) {
    if (!isPriceKey(key) || GROUP_KEYS.has(key)) continue;
    const definition: OptionDefinition = PRICE_OPTIONS[key];
    if (isChanged(definition, text)) prices[key] = toValue(definition, text);
  }
  return prices;
}

function exportGroups(site: Site): Record<string, unknown> {
  const read = <Value>(key: string): Record<string, Value> => parseTable<Value>(site.options.get(key) ?? "");
  const ratios = read<number>(GROUP_OPTIONS.ratio);
  const descriptions = read<string>(GROUP_OPTIONS.description);
  const topup = read<number>(GROUP_OPTIONS.topup);
  const names = new Set([...Object.keys(ratios), ...Object.keys(descriptions), ...Object.keys(topup)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      withoutDefaults(
        { ratio: ratios[name] ?? 1, description: descriptions[name], topup_ratio: topup[name] ?? 1 },
        { ratio: undefined, topup_ratio: 1 },
      ),
    ]),
  );
}

function exportChannels(site: Site, references: References): unknown[] {
  const defaults = DeclaredChannel.parse({ name: "-", type: 0, models: ["-"] });
  return site.channels.map((channel) => {
    const { name, type, models, ...rest } = toDeclaredChannel(channel);
    const key = references.refer("channel", channel.name);
    return { name, type, key, models, ...withoutDefaults(rest, defaults) };
  });
}

function exportTokens(site: Site, user: UserProfile, references: References): unknown[] {
  const defaults = DeclaredToken.parse({ name: "-" });
  return (site.tokens.get(user.id) ?? []).map((token) => {
    const { name, ...rest } = toDeclaredToken(token);
    return { name, key: references.refer("token", user.username, token.name), ...withoutDefaults(rest, defaults) };
  });
}

function exportUsers(site: Site, references: References): unknown[] {
  const defaults = { role: "user", status: "active" };
  const users = [...site.users.values()].toSorted((a, b) => a.id - b.id);
  return users.flatMap((user) => {
    const tokens = exportTokens(site, user, references);
    // Root exists on every site; without tokens it needs no entry.
    if (user.role === ROLE.root && tokens.length === 0) return [];
    return [
      {
        username: user.username,
        ...withoutDefaults(toDeclaredUser(user), defaults),
        ...(tokens.length === 0 ? {} : { tokens }),
      },
    ];
  });
}

/** The site as a file; secrets are references, whose names are listed at its head. */
export function exportSite(site: Site): string {
  const references = createReferences();
  const file = {
    version: 1,
    options: exportOptions(site, references),
    prices: exportPrices(site),
    groups: exportGroups(site),
    channels: exportChannels(site, references),
    users: exportUsers(site, references),
  };
  const names = [...references.names].map((name) => `#   ${name}\n`).join("");
  const head = "# Declared configuration of Turnpike. Balances, logs and passwords are not part of it.\n";
  return `${head}${names === "" ? "" : `# Secrets to set in the environment:\n${names}`}${stringify(file, { lineWidth: 120 })}`;
}
