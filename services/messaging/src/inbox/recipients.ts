import type { AuthServiceServer, User } from "@turnpike/proto/auth/v1/auth_service";
import { PAGE_SIZE_MAX } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

export type Recipients = ReturnType<typeof createRecipients>;

const AT_ONCE = 16;
const NAMED_MAX = 20;

/** Runs the tasks, a few at a time, and answers in their order. */
async function inTurns<Result>(tasks: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < tasks.length; start += AT_ONCE)
    results.push(...(await Promise.all(tasks.slice(start, start + AT_ONCE).map((task) => task()))));
  return results;
}

const isRegistered = (user: User | undefined): user is User => user !== undefined && user.deletedAtSeconds === 0;

/** Checks with auth that recipients exist. */
export function createRecipients(auth: Pick<GrpcClient<AuthServiceServer>, "getUser" | "listUsers">) {
  const isUser = async (id: number, requestId: string): Promise<boolean> => {
    try {
      return isRegistered((await auth.getUser({ id }, { requestId })).user);
    } catch (error) {
      if (error instanceof AppError && error.code === "user_not_found") return false;
      throw error;
    }
  };
  /** The registered users on the site's list, when reading it takes fewer calls than asking for each of so many. */
  const listIfShorter = async (wanted: number, requestId: string): Promise<Set<number>> => {
    const read = (page: number) =>
      auth.listUsers({ page, pageSize: PAGE_SIZE_MAX, keyword: "", group: "", role: 0, status: 0 }, { requestId });
    if (wanted <= AT_ONCE) return new Set();
    const first = await read(1);
    const pages = Math.ceil(first.total / PAGE_SIZE_MAX);
    if (pages > wanted) return new Set();
    const rest = await inTurns(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => () => read(index + 2)));
    return new Set([first, ...rest].flatMap(({ items }) => items.filter(isRegistered).map(({ id }) => id)));
  };
  return {
    /** The recipients once each; throws message_recipient_unknown with the ids that are no registered user's. */
    async check(userIds: readonly number[], requestId: string): Promise<number[]> {
      const wanted = [...new Set(userIds)];
      const listed = await listIfShorter(wanted.length, requestId);
      // A user who came or went while the list was read may be missing on it.
      const unseen = wanted.filter((id) => !listed.has(id));
      const found = await inTurns(unseen.map((id) => () => isUser(id, requestId)));
      const unknown = unseen.filter((_, index) => found[index] !== true);
      if (unknown.length === 0) return wanted;
      const named = unknown.slice(0, NAMED_MAX).join(", ") + (unknown.length > NAMED_MAX ? " …" : "");
      throw new AppError("message_recipient_unknown", `${unknown.length} unknown recipients`, {
        params: { ids: named },
      });
    },
  };
}
