import type { Overview, TopChannel, TopUser } from "@turnpike/contract/api/report";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import { Card, CardContent } from "../../components/ui/card.tsx";
import { Hint } from "../../components/hint.tsx";
import { formatCount, formatMilliseconds, formatShort } from "../../lib/format.ts";
import { UserInfoDialog } from "../../domain/users/user-info-dialog.tsx";

const figure = "pl-3 text-right whitespace-nowrap tabular-nums";

type TopTableProps = {
  readonly title: string;
  readonly note: string;
  readonly heads: readonly string[];
  readonly isEmpty: boolean;
  readonly children: ReactNode;
};

function TopTable({ title, note, heads, isEmpty, children }: TopTableProps) {
  const { t } = useTranslation();
  return (
    <Card>
      <CardContent className="flex min-w-0 flex-col gap-2">
        <div>
          <h2 className="font-semibold">{title}</h2>
          <p className="text-xs text-muted-foreground">{note}</p>
        </div>
        {isEmpty ? (
          <p className="py-8 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>
        ) : (
          <table className="w-full text-[13px]">
            <thead>
              <tr className="h-8 text-left text-xs text-muted-foreground">
                {heads.map((head, index) => (
                  <th key={head} className={index === 0 ? "font-medium" : `${figure} font-medium ${hiding(index)}`}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        )}
      </CardContent>
    </Card>
  );
}

/** Of the figures, phones show the first alone. */
const hiding = (index: number): string => (index > 1 ? "max-sm:hidden" : "");

function Shortened({ count }: { readonly count: number }) {
  return (
    <Hint text={formatCount(count)}>
      <span>{formatShort(count)}</span>
    </Hint>
  );
}

function UserLine({ user }: { readonly user: TopUser }) {
  return (
    <tr className="h-8 border-t">
      <td className="w-full max-w-0 truncate">
        <UserInfoDialog id={user.user_id} username={user.username} />
      </td>
      <td className={figure}>
        <Money quota={user.quota} />
      </td>
      <td className={`${figure} ${hiding(2)}`}>
        <Shortened count={user.count} />
      </td>
      <td className={`${figure} ${hiding(3)}`}>
        <Shortened count={user.token_used} />
      </td>
    </tr>
  );
}

function ChannelLine({ channel, errorsLogged }: { readonly channel: TopChannel; readonly errorsLogged: boolean }) {
  const tries = channel.count + channel.error_count;
  return (
    <tr className="h-8 border-t">
      <td className="w-full max-w-0 truncate">
        <Link
          to="/admin/channels/$id"
          params={{ id: String(channel.channel_id) }}
          className="underline-offset-4 hover:underline"
          title={channel.channel_name}
        >
          #{channel.channel_id} {channel.channel_name}
        </Link>
      </td>
      <td className={figure}>
        <Money quota={channel.quota} />
      </td>
      <td className={`${figure} ${hiding(2)}`}>
        <Shortened count={channel.count} />
      </td>
      <td className={`${figure} ${hiding(3)}`}>{channel.count === 0 ? "—" : formatMilliseconds(channel.average_ms)}</td>
      {errorsLogged && (
        <td className={`${figure} ${hiding(4)}`}>
          {tries === 0 ? "—" : `${((channel.error_count / tries) * 100).toFixed(1)}%`}
        </td>
      )}
    </tr>
  );
}

/** Who used most and which channels served most; for admins. */
export function TopTables({ overview }: { readonly overview: Overview }) {
  const { t } = useTranslation();
  const day = new Date(overview.first_day * 1000).toISOString().slice(0, 10);
  const note = t("自 {{day}} 起（UTC）", { day });
  const channelHeads = [t("渠道名称"), t("消耗"), t("调用次数"), t("平均用时")];
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <TopTable
        title={t("用量最多的用户")}
        note={note}
        heads={[t("用户"), t("消耗"), t("调用次数"), t("Token 数")]}
        isEmpty={overview.users.length === 0}
      >
        {overview.users.map((user) => (
          <UserLine key={user.user_id} user={user} />
        ))}
      </TopTable>
      <TopTable
        title={t("用量最多的渠道")}
        note={note}
        heads={overview.errors_logged ? [...channelHeads, t("失败率")] : channelHeads}
        isEmpty={overview.channels.length === 0}
      >
        {overview.channels.map((channel) => (
          <ChannelLine key={channel.channel_id} channel={channel} errorsLogged={overview.errors_logged} />
        ))}
      </TopTable>
    </div>
  );
}
