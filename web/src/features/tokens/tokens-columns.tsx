import type { Token } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import type { TFunction } from "i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { Hint } from "../../components/hint.tsx";
import { LogLink } from "../../domain/logs/log-link.tsx";
import { formatShort } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { splitCommaList } from "../../lib/text/comma-list.ts";
import { BUDGET_PERIODS } from "./budget-periods.ts";
import { TokenKeyCell } from "./token-key-cell.tsx";

const STATES: Readonly<Record<number, { label: string; tone: StatusTone }>> = {
  [TOKEN_STATUS.enabled]: { label: text("已启用"), tone: "good" },
  [TOKEN_STATUS.disabled]: { label: text("已禁用"), tone: "neutral" },
  [TOKEN_STATUS.expired]: { label: text("已过期"), tone: "warn" },
  [TOKEN_STATUS.exhausted]: { label: text("已耗尽"), tone: "bad" },
};

function TokenState({ token, t }: { readonly token: Token; readonly t: TFunction }) {
  const state = STATES[token.status];
  const limited = token.model_limits_enabled && token.status === TOKEN_STATUS.enabled;
  return (
    <StatusBadge dot tone={state?.tone ?? "neutral"}>
      {limited ? t("已启用（限制模型）") : t(state?.label ?? text("未知状态"))}
    </StatusBadge>
  );
}

function Remaining({ token, t }: { readonly token: Token; readonly t: TFunction }) {
  if (token.unlimited_quota) return <span className="text-muted-foreground">{t("无限额度")}</span>;
  const budget = token.remain_quota + token.used_quota;
  const share = budget > 0 ? Math.max(0, Math.min(1, token.remain_quota / budget)) : 0;
  return (
    <span className="inline-flex flex-col items-end gap-0.5">
      <Money quota={token.remain_quota} />
      <span className="block h-1 w-16 overflow-hidden rounded-full bg-muted" aria-hidden>
        <span className="block h-full bg-muted-foreground/60" style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}

/** A recurring budget's amount and period. */
function Budget({ token, t }: { readonly token: Token; readonly t: TFunction }) {
  const period = BUDGET_PERIODS.find(({ value }) => value === token.budget_period);
  if (!period || period.value === "") return <span className="text-muted-foreground">{t("不恢复")}</span>;
  return (
    <span className="inline-flex items-center gap-1.5">
      <StatusBadge tone="info">{t(period.label)}</StatusBadge>
      <Money quota={token.period_quota} />
      {token.budget_resets_at > 0 && <Time seconds={token.budget_resets_at} className="text-muted-foreground" />}
    </span>
  );
}

/** Calls in a period, all of them and the successful ones; 0 is no limit. */
function getRateLimits(token: Token, t: TFunction): readonly string[] {
  const { rate_limit_enabled, rate_limit_count: count, rate_limit_success: good, rate_limit_period: seconds } = token;
  if (!rate_limit_enabled) return [];
  return [
    ...(count > 0 ? [t("{{count}} 次 / {{seconds}} 秒", { count, seconds })] : []),
    ...(good > 0 ? [t("成功 {{count}} 次 / {{seconds}} 秒", { count: good, seconds })] : []),
  ];
}

/** The limits of a token, as short texts. */
function Limits({ token, t }: { readonly token: Token; readonly t: TFunction }) {
  const limits = [
    ...getRateLimits(token, t),
    token.tokens_per_minute > 0 && t("{{tokens}} token / 分钟", { tokens: formatShort(token.tokens_per_minute) }),
    token.concurrent_calls > 0 && t("并发 {{calls}}", { calls: token.concurrent_calls }),
    token.allow_ips !== "" && t("限 IP"),
  ].filter((limit) => limit !== false);
  if (limits.length === 0) return <span className="text-muted-foreground">{t("无")}</span>;
  return (
    <Hint text={limits.join("\n")}>
      <span className="block max-w-48 truncate">{limits.join(" · ")}</span>
    </Hint>
  );
}

function Models({ token, t }: { readonly token: Token; readonly t: TFunction }) {
  if (!token.model_limits_enabled) return <span className="text-muted-foreground">{t("不限")}</span>;
  const names = splitCommaList(token.model_limits);
  return (
    <Hint text={names.join("\n")}>
      <span>{t("{{count}} 个模型", { count: names.length })}</span>
    </Hint>
  );
}

const nameColumn = (t: TFunction): DataColumn<Token> => ({
  id: "name",
  label: t("名称"),
  fixed: true,
  card: "title",
  cell: (token) => (
    <span className="block truncate font-medium" title={token.name}>
      {token.name}
    </span>
  ),
});

/** Columns of the token list. */
export const tokenColumns = (t: TFunction): readonly DataColumn<Token>[] => [
  nameColumn(t),
  { id: "status", label: t("状态"), card: "badge", cell: (token) => <TokenState token={token} t={t} /> },
  {
    id: "key",
    label: t("密钥"),
    card: "fact",
    className: "max-w-none",
    cell: (token) => <TokenKeyCell token={token} />,
  },
  {
    id: "group",
    label: t("分组"),
    cell: (token) =>
      token.group === "" ? <span className="text-muted-foreground">{t("跟随用户")}</span> : token.group,
  },
  {
    id: "used",
    label: t("已用额度"),
    align: "right",
    cell: (token) => (
      <LogLink filter={{ token: token.name }}>
        <Money quota={token.used_quota} />
      </LogLink>
    ),
  },
  {
    id: "remain",
    label: t("剩余额度"),
    align: "right",
    card: "fact",
    cell: (token) => <Remaining token={token} t={t} />,
  },
  {
    id: "budget",
    label: t("额度周期"),
    startsHidden: true,
    className: "max-w-none",
    cell: (token) => <Budget token={token} t={t} />,
  },
  { id: "limits", label: t("使用限制"), startsHidden: true, cell: (token) => <Limits token={token} t={t} /> },
  { id: "models", label: t("可用模型"), cell: (token) => <Models token={token} t={t} /> },
  {
    id: "expires",
    label: t("过期时间"),
    card: "fact",
    cell: (token) =>
      token.expired_time === -1 ? (
        <span className="text-muted-foreground">{t("永不过期")}</span>
      ) : (
        <Time seconds={token.expired_time} />
      ),
  },
  {
    id: "accessed",
    label: t("最近使用"),
    cell: (token) =>
      token.accessed_time === 0 ? (
        <span className="text-muted-foreground">{t("从未使用")}</span>
      ) : (
        <Time seconds={token.accessed_time} />
      ),
  },
  { id: "created", label: t("创建时间"), startsHidden: true, cell: (token) => <Time seconds={token.created_time} /> },
  {
    id: "id",
    label: "ID",
    align: "right",
    startsHidden: true,
    cell: (token) => <span className="font-mono text-xs">{token.id}</span>,
  },
];
