import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import { callProvider, type Identity, type ProviderContext } from "./provider.ts";

const PROVIDER = "WeChat";
const CODE_LENGTH_MAX = 64;
const UserResponse = z.object({ success: z.boolean(), data: z.union([z.string(), z.number()]).nullish() });

/**
 * The owner of a code that the site's WeChat account issued, resolved by the operator's WeChat server. Throws
 * wechat_code_wrong, oauth_not_configured, oauth_provider_unreachable.
 */
export async function identifyByWechat(context: ProviderContext, code: string): Promise<Identity> {
  const { options, readSecret, fetch } = context;
  const wrong = (): AppError => new AppError("wechat_code_wrong", "the code is not known");
  if (code === "" || code.length > CODE_LENGTH_MAX) throw wrong();
  const server = options.text("WeChatServerAddress").trim().replace(/\/+$/, "");
  if (!URL.canParse(server))
    throw new AppError("oauth_not_configured", "WeChatServerAddress is no address", { params: { provider: PROVIDER } });
  const url = `${server}/api/wechat/user?${new URLSearchParams({ code }).toString()}`;
  const headers = { authorization: await readSecret("WeChatServerToken"), accept: "application/json" };
  const { success, data } = await callProvider({ provider: PROVIDER, fetch, shape: UserResponse }, url, { headers });
  const id = String(data ?? "");
  if (!success || id === "" || id.length > 255) throw wrong();
  return { id, displayName: "WeChat User", username: undefined, email: undefined };
}
