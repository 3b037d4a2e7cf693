import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { channelQuery } from "../../domain/channels/channels-api.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { UserInfoButton } from "../../domain/users/user-info-button.tsx";
import { userQuery } from "../../domain/users/users-api.ts";

const linkClasses = "block truncate underline-offset-4 hover:underline";

type LinkTo = {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
};

/** A user by name; the number while the name is loaded, and for a user who no longer exists. */
function UserTarget({ id }: { readonly id: number }) {
  const user = useQuery({ ...userQuery(id), staleTime: Infinity, retry: false });
  return <UserInfoButton id={id} username={user.data?.username ?? `#${id}`} />;
}

/** A channel by name; the number while the name is loaded, and for a deleted channel. */
function ChannelTarget({ id }: { readonly id: number }) {
  const channel = useQuery({ ...channelQuery(id), staleTime: Infinity, retry: false });
  if (channel.isError) return <span className="font-mono text-xs">#{id}</span>;
  return (
    <Link to="/admin/channels/$id" params={{ id: String(id) }} className={linkClasses}>
      {channel.data?.name ?? `#${id}`}
    </Link>
  );
}

/** Pages of the other kinds of objects. */
const PAGES: Readonly<Record<string, { readonly label: string; readonly to: (id: string) => LinkTo }>> = {
  order: { label: text("订单"), to: (id) => ({ to: "/admin/orders", search: { keyword: `#${id}` } }) },
  redemption: { label: text("兑换码"), to: (id) => ({ to: "/admin/coupons", search: { keyword: id } }) },
  message: { label: text("消息"), to: (id) => ({ to: "/admin/messages/$id", params: { id } }) },
  option: { label: text("设置"), to: (option) => ({ to: "/admin/settings", search: { option } }) },
};

/** What an action changed, linked to its page where there is one. */
export function AuditTarget({ target }: { readonly target: string }) {
  const { t } = useTranslation();
  const [, kind = "", id = ""] = /^(\w+):(.*)$/.exec(target) ?? [];
  const isNumber = /^\d+$/.test(id);
  if (kind === "user" && isNumber) return <UserTarget id={Number(id)} />;
  if (kind === "channel" && isNumber) return <ChannelTarget id={Number(id)} />;
  const page = PAGES[kind];
  if (page && id !== "" && id !== "*")
    return (
      // The router types parameters by page; each kind has its own page.
      <Link {...(page.to(id) as { to: "/" })} className={linkClasses} title={target}>
        {t(page.label)} {isNumber ? `#${id}` : id}
      </Link>
    );
  return (
    <span className="block truncate font-mono text-xs" title={target}>
      {target}
    </span>
  );
}
