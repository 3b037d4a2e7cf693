import type { NoticeTargetServiceServer, UserName } from "@turnpike/proto/auth/v1/notice_target_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

export type Recipients = ReturnType<typeof createRecipients>;

const IDS_PER_REQUEST = 1_000;
const NAMED_MAX = 20;

/** What auth returns about recipients. */
export function createRecipients(auth: Pick<GrpcClient<NoticeTargetServiceServer>, "listUserNames">) {
  /** The users' names by id; ids that auth never had are left out. */
  const names = async (userIds: readonly number[], requestId: string): Promise<Map<number, UserName>> => {
    const known = new Map<number, UserName>();
    for (let start = 0; start < userIds.length; start += IDS_PER_REQUEST) {
      const request = { userIds: userIds.slice(start, start + IDS_PER_REQUEST) };
      for (const name of (await auth.listUserNames(request, { requestId })).names) known.set(name.userId, name);
    }
    return known;
  };
  return {
    names,
    /**
     * The recipients without duplicates; throws message_recipient_unknown with the ids that are not registered users.
     */
    async check(userIds: readonly number[], requestId: string): Promise<number[]> {
      const ids = [...new Set(userIds)];
      const known = await names(ids, requestId);
      const unknown = ids.filter((id) => known.get(id)?.isDeregistered !== false);
      if (unknown.length === 0) return ids;
      const named = unknown.slice(0, NAMED_MAX).join(", ") + (unknown.length > NAMED_MAX ? " …" : "");
      throw new AppError("message_recipient_unknown", `${unknown.length} unknown recipients`, {
        params: { ids: named },
      });
    },
  };
}
