import { TokenPage } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "../../../lib/api/api-client.ts";
import { useApiAddress, useSiteStatus } from "../../../lib/status.ts";
import { fullKey } from "../../../domain/tokens/token-key.ts";
import { type ChatLink, parseChatLinks, type ChatTarget } from "./chat-links.ts";

const chatTokensQuery = queryOptions({
  queryKey: ["tokens", "for-chat"],
  queryFn: async ({ signal }) => {
    const { items } = await api.get("/api/token/", {
      query: { p: 0, size: 100, paged: true },
      schema: TokenPage,
      signal,
    });
    return items;
  },
});

/** The key for a chat client: the first enabled token's. Undefined while it loads; no key when there is none. */
export function useChatTarget() {
  const tokens = useQuery(chatTokensQuery);
  const address = useApiAddress();
  const enabled = tokens.data?.filter(({ status }) => status === TOKEN_STATUS.enabled);
  const key = enabled?.find((token) => token.key !== "")?.key;
  const target: ChatTarget | undefined = key === undefined ? undefined : { key: fullKey(key), address };
  return {
    error: tokens.error,
    retry: (): void => void tokens.refetch(),
    isPending: tokens.isPending,
    hasToken: enabled !== undefined && enabled.length > 0,
    target,
  };
}

/** The site's chat clients; undefined when the operator's list is invalid. */
export function useChatLinks(): readonly ChatLink[] | undefined {
  const chats = useSiteStatus()?.chats;
  return useMemo(() => parseChatLinks(chats ?? []), [chats]);
}
