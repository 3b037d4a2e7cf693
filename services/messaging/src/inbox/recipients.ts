import type { NoticeTargetServiceServer, UserName } from "@turnpike/proto/auth/v1/notice_target_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { GrpcClient } from "@turnpike/shared/grpc/client";

export type Recipients = ReturnType<typeof createRecipients>;

const ASKED_AT_ONCE = 1_000;
const NAMED_MAX = 20;

/** What auth knows of recipients. */
export function createRecipients(auth: Pick<GrpcClient<NoticeTargetServiceServer>, "listUserNames">) {
  /** The users' names by id; those auth never had are left out. */
  const names = async (userIds: readonly number[], requestId: string): Promise<Map<number, UserName>> => {
    const known = new Map<number, UserName>();
    for (let start = 0; start < userIds.length; start += ASKED_AT_ONCE) {
      const asked = { userIds: userIds.slice(start, start + ASKED_AT_ONCE) };
      for (const name of (await auth.listUserNames(asked, { requestId })).names) known.set(name.userId, name);
    }
    return known;
  };
  return {
    names,
    /** The recipients once each; throws message_recipient_unknown with the ids that are no registered user's. */
    async check(userIds: readonly number[], requestId: string): Promise<number[]> {
      const wanted = [...new Set(userIds)];
      const known = await names(wanted, requestId);
      const unknown = wanted.filter((id) => known.get(id)?.isDeregistered !== false);
      if (unknown.length === 0) return wanted;
      const named = unknown.slice(0, NAMED_MAX).join(", ") + (unknown.length > NAMED_MAX ? " …" : "");
      throw new AppError("message_recipient_unknown", `${unknown.length} unknown recipients`, {
        params: { ids: named },
      });
    },
  };
}
