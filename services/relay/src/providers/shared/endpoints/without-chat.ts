import { RelayError } from "../../../core/errors/relay-error.ts";
import { unreadableResponse } from "../upstream-failure.ts";
import type { Provider } from "../../contract/provider.ts";

const noChat = (): never => {
  throw new RelayError("no_available_channel", "this channel serves embeddings and rerank only");
};

/** The chat implementation of upstreams without chat: every chat call is refused before it is sent. */
export const WITHOUT_CHAT: Pick<
  Provider,
  "wireFormat" | "buildRequest" | "address" | "parseResponse" | "newStreamReader"
> = {
  wireFormat: "own",
  buildRequest: noChat,
  address: noChat,
  parseResponse: () => {
    throw unreadableResponse();
  },
  newStreamReader: noChat,
};

/** Whether an upstream serves chat at all. */
export const hasChat = ({ buildRequest }: Pick<Provider, "buildRequest">): boolean => buildRequest !== noChat;
