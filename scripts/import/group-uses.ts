type Kind = "user" | "token" | "channel";

/** How many users, tokens and channels of the source each group has. */
export function createGroupUses() {
  const uses = new Map<string, Record<Kind, number>>();
  return {
    /** An empty name, which a token has that follows its user, is no group. */
    add(kind: Kind, group: string): void {
      if (group === "") return;
      const counts = uses.get(group) ?? { user: 0, token: 0, channel: 0 };
      uses.set(group, counts);
      counts[kind]++;
    },
    list: (): ReadonlyMap<string, Readonly<Record<Kind, number>>> => uses,
  };
}

export type GroupUses = ReturnType<typeof createGroupUses>;
