import { Channel } from "@turnpike/contract/api/channels/channel";
import { DeclaredReport } from "@turnpike/contract/api/declared";
import { PAGE_SIZE_MAX } from "@turnpike/contract/limits";
import type { Token } from "@turnpike/contract/api/token";
import type { UserProfile } from "@turnpike/contract/api/user";
import type { Console } from "./console.ts";

/** The site as it is. Options have their effective values; `storedPrices` are without the built-in prices. */
export type Site = {
  readonly options: ReadonlyMap<string, string>;
  /** The mark of each secret option, which changes with its value; "" for one that is not set. */
  readonly secretMarks: SecretMarks;
  readonly storedPrices: ReadonlyMap<string, string>;
  readonly channels: readonly Channel[];
  /** By user name in lower case. */
  readonly users: ReadonlyMap<string, UserProfile>;
  /** By user id, the oldest first. */
  readonly tokens: ReadonlyMap<number, readonly Token[]>;
};

export type SecretMarks = Readonly<Record<string, string>>;
type Rows = readonly { readonly key: string; readonly value: string }[];
type Page<Item> = { readonly items: readonly Item[]; readonly total: number };

const USERS_A_CALL = 100;

const toMap = (rows: Rows): Map<string, string> => new Map(rows.map(({ key, value }) => [key, value]));

async function readPages<Item>(read: (page: number) => Promise<Page<Item>>, first: number): Promise<Item[]> {
  const found: Item[] = [];
  for (let page = first; ; page++) {
    const { items, total } = await read(page);
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

/** The users of these names, or all: by as few requests as possible. */
async function readUsers(console: Console, names: readonly string[] | undefined): Promise<UserProfile[]> {
  const readPage = (page: number): Promise<Page<UserProfile>> =>
    console.get(`/api/user/?p=${page}&page_size=${PAGE_SIZE_MAX}`);
  if (names?.length === 0) return [];
  const first = await readPage(1);
  const pages = Math.ceil(first.total / PAGE_SIZE_MAX);
  if (names === undefined || names.length >= pages)
    return readPages((page) => (page === 1 ? Promise.resolve(first) : readPage(page)), 1);
  const found: UserProfile[] = [];
  for (const name of names) {
    const query = new URLSearchParams({ keyword: name, p: "1", page_size: String(PAGE_SIZE_MAX) });
    found.push(...(await console.get<Page<UserProfile>>(`/api/user/search?${query.toString()}`)).items);
  }
  return found;
}

async function readTokens(console: Console, ids: readonly number[]): Promise<Map<number, Token[]>> {
  const tokens = new Map<number, Token[]>(ids.map((id) => [id, []]));
  for (let start = 0; start < ids.length; start += USERS_A_CALL) {
    const part = ids.slice(start, start + USERS_A_CALL).join(",");
    for (const token of await console.get<Token[]>(`/api/declared/tokens?user_ids=${part}`))
      tokens.get(token.user_id)?.push(token);
  }
  return tokens;
}

/** The report of the last apply or comparison; undefined before the first one. */
export async function readReport(console: Console): Promise<DeclaredReport | undefined> {
  const report = await console.get<unknown>("/api/declared/report");
  return report === null ? undefined : DeclaredReport.parse(report);
}

/** What identifies the values of the secret options. */
export const readSecretMarks = (console: Console): Promise<SecretMarks> => console.get("/api/declared/secrets");

/** Reads the site; of users only those with these names, or all. */
export async function readSite(console: Console, usernames: readonly string[] | undefined): Promise<Site> {
  const [options, secretMarks, storedPrices, channels, profiles] = await Promise.all([
    console.get<Rows>("/api/option/"),
    readSecretMarks(console),
    console.get<Rows>("/api/declared/prices"),
    readPages<Channel>(
      (page) => console.get(`/api/channel/?paged=true&id_sort=true&p=${page}&page_size=${PAGE_SIZE_MAX}`),
      0,
    ),
    readUsers(console, usernames),
  ]);
  const users = new Map(
    profiles.filter(({ DeletedAt }) => DeletedAt === null).map((user) => [user.username.toLowerCase(), user]),
  );
  const selected = usernames?.map((name) => users.get(name.toLowerCase())) ?? [...users.values()];
  const ids = selected.flatMap((user) => (user ? [user.id] : []));
  return {
    options: toMap(options),
    secretMarks,
    storedPrices: toMap(storedPrices),
    channels: channels.map((channel) => Channel.parse(channel)).toSorted((a, b) => a.id - b.id),
    users,
    tokens: await readTokens(console, ids),
  };
}
