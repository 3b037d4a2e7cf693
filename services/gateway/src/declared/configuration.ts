import { CHANNEL_TYPES, getChannelType } from "@turnpike/contract/api/channels/channel-types";
import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import type { PriceKey } from "@turnpike/contract/options/price-options";
import {
  type DeclaredChannel,
  DeclaredFile,
  type DeclaredGroup,
  type DeclaredToken,
  type DeclaredUser,
  type SecretReference,
} from "./file-schema.ts";
import { readOption, readPrice } from "./option-values.ts";
import { resolveSecret } from "./secrets.ts";
import { nameAll } from "./values.ts";
import {
  parseYaml,
  type Path,
  type Problem,
  type SourceFile,
  toProblem,
  toProblems,
  type YamlSource,
} from "./yaml-source.ts";

/** A channel with its provider's number and its keys; `label` is unique among channels. */
export type ResolvedChannel = DeclaredChannel & {
  readonly label: string;
  readonly typeId: number;
  readonly secret: string | undefined;
};
export type ResolvedToken = DeclaredToken & { readonly label: string; readonly secret: string | undefined };
export type ResolvedUser = Omit<DeclaredUser, "tokens"> & {
  readonly secret: string | undefined;
  readonly tokens: readonly ResolvedToken[];
};
export type ResolvedOption = { readonly text: string; readonly isSecret: boolean };
/** A whole value, or entries of a table. */
export type ResolvedPrice = { readonly text: string } | { readonly entries: Readonly<Record<string, unknown>> };

/** Everything that is declared, with secrets; all files together. */
export type Configuration = {
  readonly options: Map<OptionKey, ResolvedOption>;
  readonly prices: Map<PriceKey, ResolvedPrice>;
  readonly groups: Map<string, DeclaredGroup>;
  readonly channels: ResolvedChannel[];
  readonly users: ResolvedUser[];
};

export type ReadResult = { readonly configuration: Configuration; readonly problems: readonly Problem[] };

type Reading = {
  readonly configuration: Configuration;
  readonly problems: Problem[];
  readonly env: NodeJS.ProcessEnv;
};

/** Names of providers in lower case; the custom type has a Chinese name. */
const TYPE_IDS = new Map([
  ...CHANNEL_TYPES.map(({ id, name }) => [name.toLowerCase(), id] as const),
  ["custom", 8] as const,
]);

/** The number of a provider; undefined for none. */
export const findTypeId = (type: number | string): number | undefined =>
  typeof type === "number" ? getChannelType(type)?.id : TYPE_IDS.get(type.toLowerCase());

/** The name of a provider in files. */
export const getTypeName = (id: number): number | string => (id === 8 ? "custom" : (getChannelType(id)?.name ?? id));

/** Reads the parts of one file, and adds its problems. */
class FileReader {
  readonly #source: YamlSource;
  readonly #reading: Reading;
  constructor(source: YamlSource, reading: Reading) {
    this.#source = source;
    this.#reading = reading;
  }

  #report(path: Path, message: string): undefined {
    this.#reading.problems.push(toProblem(this.#source, path, message));
  }

  #secret(reference: SecretReference | undefined, path: Path): string | undefined {
    if (!reference) return undefined;
    const secret = resolveSecret(reference, this.#reading.env);
    return "value" in secret ? secret.value : this.#report(path, secret.problem);
  }

  #add<Key, Value>(map: Map<Key, Value>, [key, value]: readonly [Key, Value], path: Path): void {
    if (map.has(key)) this.#report(path, "is declared twice");
    else map.set(key, value);
  }

  #readTables(file: DeclaredFile): void {
    const { configuration, env } = this.#reading;
    for (const [key, value] of Object.entries(file.options)) {
      const option = readOption(key, value, env);
      if ("problem" in option) this.#report(["options", key], option.problem);
      else this.#add(configuration.options, [option.key, option.declared], ["options", key]);
    }
    for (const [key, value] of Object.entries(file.prices)) {
      const price = readPrice(key, value);
      if ("problem" in price) this.#report(["prices", key], price.problem);
      else this.#add(configuration.prices, [price.key, price.declared], ["prices", key]);
    }
    for (const [name, group] of Object.entries(file.groups))
      this.#add(configuration.groups, [name, group], ["groups", name]);
  }

  #readChannels(file: DeclaredFile): void {
    file.channels.forEach((channel, index) => {
      const path = ["channels", index];
      const typeId = findTypeId(channel.type);
      if (typeId === undefined) this.#report([...path, "type"], `unknown provider ${JSON.stringify(channel.type)}`);
      const secret = this.#secret(channel.key, [...path, "key"]);
      this.#reading.configuration.channels.push({ ...channel, label: channel.name, typeId: typeId ?? 0, secret });
    });
  }

  #readUsers(file: DeclaredFile): void {
    const { users } = this.#reading.configuration;
    file.users.forEach((user, index) => {
      const path = ["users", index];
      if (users.some(({ username }) => username.toLowerCase() === user.username.toLowerCase()))
        this.#report([...path, "username"], "is declared twice");
      const secret = this.#secret(user.password, [...path, "password"]);
      const labels = nameAll(user.tokens.map(({ name }) => name));
      const tokens = user.tokens.map((token, place) => ({
        ...token,
        label: `${user.username}/${labels[place] ?? token.name}`,
        secret: this.#secret(token.key, [...path, "tokens", place, "key"]),
      }));
      users.push({ ...user, secret, tokens });
    });
  }

  read(): void {
    this.#reading.problems.push(...this.#source.problems);
    if (this.#source.problems.length > 0) return;
    const file = DeclaredFile.safeParse(this.#source.value);
    if (!file.success) {
      this.#reading.problems.push(...toProblems(this.#source, file.error));
      return;
    }
    this.#readTables(file.data);
    this.#readChannels(file.data);
    this.#readUsers(file.data);
  }
}

/** Reads all files as one configuration. Every problem of every file is reported; with a problem, nothing may be applied. */
export function readConfiguration(files: readonly SourceFile[], env: NodeJS.ProcessEnv): ReadResult {
  const configuration: Configuration = {
    options: new Map(),
    prices: new Map(),
    groups: new Map(),
    channels: [],
    users: [],
  };
  const problems: Problem[] = [];
  for (const file of files) new FileReader(parseYaml(file), { configuration, problems, env }).read();
  const labels = nameAll(configuration.channels.map(({ name }) => name));
  const channels = configuration.channels.map((channel, index) => ({
    ...channel,
    label: labels[index] ?? channel.name,
  }));
  return { configuration: { ...configuration, channels }, problems };
}
