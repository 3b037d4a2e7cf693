import type { DeclaredDrift, DeclaredObject } from "@turnpike/contract/api/declared";
import { isOptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { GROUP_OPTIONS } from "../option-values.ts";
import type { Planning, Step } from "./step.ts";
import { parseTable } from "../values.ts";

type Removal = { readonly object: DeclaredObject; readonly run: () => Promise<unknown> };

function removePrice({ console }: Planning, name: string): Promise<unknown> {
  const [key = "", ...entry] = name.split("/");
  const change = entry.length === 0 ? { key, reset: true } : { key, remove: [entry.join("/")] };
  return console.put("/api/option/prices", { changes: [change], confirmed: true });
}

async function removeGroup({ console, site }: Planning, name: string): Promise<void> {
  const rows = [GROUP_OPTIONS.description, GROUP_OPTIONS.topup].flatMap((key) => {
    const { [name]: former, ...rest } = parseTable(site.options.get(key) ?? "");
    return former === undefined ? [] : [{ key, value: JSON.stringify(rest) }];
  });
  // The tables of several groups change one after another, so each is read again.
  for (const row of rows) {
    const now = await console.get<readonly { key: string; value: string }[]>("/api/option/");
    const { [name]: _former, ...rest } = parseTable(now.find(({ key }) => key === row.key)?.value ?? "");
    await console.put("/api/option/", { key: row.key, value: JSON.stringify(rest) });
  }
  await console.put("/api/option/prices", { changes: [{ key: GROUP_OPTIONS.ratio, remove: [name] }], confirmed: true });
}

/** How an object is removed; undefined when it does not exist any more. */
function planRemoval(planning: Planning, object: DeclaredObject): Removal | undefined {
  const { console, site } = planning;
  const { kind, name, id } = object;
  const owner = [...site.tokens].find(([, tokens]) => tokens.some((token) => token.id === id))?.[0];
  switch (kind) {
    case "option":
      return {
        object,
        run: () => console.put("/api/option/", { key: name, value: isOptionKey(name) ? OPTIONS[name].default : "" }),
      };
    case "price":
      return { object, run: () => removePrice(planning, name) };
    case "group":
      return { object, run: () => removeGroup(planning, name) };
    case "channel":
      if (!site.channels.some((channel) => channel.id === id)) return undefined;
      return { object, run: () => console.delete(`/api/channel/${id}`) };
    case "token":
      if (owner === undefined) return undefined;
      return { object, run: () => console.delete(`/api/declared/tokens/${id}?user_id=${owner}`) };
    case "user":
      // Banned, not deleted: the balance and the log of a customer are not a file's to remove.
      return { object, run: () => console.post("/api/user/manage", { id, action: "disable" }) };
  }
}

const ORDER: readonly DeclaredObject["kind"][] = ["token", "channel", "user", "option", "price", "group"];

/** The steps that remove objects that an earlier apply declared and no file declares now. */
export function planRemovals(planning: Planning, former: readonly DeclaredObject[]): Step[] {
  const sorted = former.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return sorted.flatMap((object) => {
    const removal = planRemoval(planning, object);
    if (!removal) return [];
    const drift: DeclaredDrift = { kind: object.kind, name: object.name, action: "delete", fields: [] };
    return [
      {
        changes: [drift],
        run: async () => {
          await removal.run();
          return [];
        },
      },
    ];
  });
}
