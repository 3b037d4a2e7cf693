import type { SiteStatus } from "@turnpike/contract/api/status";
import {
  Activity,
  BookOpenText,
  Braces,
  ChartColumn,
  GitBranch,
  History,
  Images,
  Inbox,
  KeyRound,
  ListMusic,
  Mail,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  Receipt,
  ScrollText,
  Settings,
  SlidersHorizontal,
  Tag,
  TicketCheck,
  UserRound,
  Users,
  Wallet,
  Waypoints,
} from "lucide-react";
import { parseChatLinks } from "../../features/tokens/chat/chat-links.ts";
import { text } from "../../lib/text/i18n-source.ts";

/** A page that the menus and the palette lead to; `label` is a source sentence. */
export type NavigationItem = { readonly to: string; readonly label: string; readonly icon: LucideIcon };
export type NavigationGroup = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly items: readonly NavigationItem[];
};

const DASHBOARD: NavigationItem = { to: "/app/dashboard", label: text("数据看板"), icon: ChartColumn };
const PLAYGROUND: NavigationItem = { to: "/playground", label: text("操练场"), icon: MessageSquareText };
const TOKENS: NavigationItem = { to: "/app/tokens", label: text("API 令牌"), icon: KeyRound };
const LOGS: NavigationItem = { to: "/app/logs/api-usage", label: text("使用日志"), icon: ScrollText };
const IMAGE_TASKS: NavigationItem = { to: "/app/logs/drawing", label: text("绘图日志"), icon: Images };
const TASKS: NavigationItem = { to: "/app/logs/tasks", label: text("任务日志"), icon: ListMusic };
const WALLET: NavigationItem = { to: "/app/wallet", label: text("钱包"), icon: Wallet };
const INBOX: NavigationItem = { to: "/app/inbox", label: text("收件箱"), icon: Inbox };
const PROFILE: NavigationItem = { to: "/app/me", label: text("个人设置"), icon: UserRound };
const PRICING: NavigationItem = { to: "/pricing", label: text("模型价格"), icon: Tag };
const REFERENCE: NavigationItem = { to: "/api-reference", label: text("接口文档"), icon: Braces };

const STATUS: NavigationItem = { to: "/status", label: text("模型状态"), icon: Activity };

const ADMIN_ITEMS: readonly NavigationItem[] = [
  { to: "/admin/channels", label: text("渠道管理"), icon: Waypoints },
  { to: "/admin/coupons", label: text("兑换码管理"), icon: TicketCheck },
  { to: "/admin/orders", label: text("订单管理"), icon: Receipt },
  { to: "/admin/ledger", label: text("账本"), icon: BookOpenText },
  { to: "/admin/messages", label: text("消息管理"), icon: Mail },
  { to: "/admin/users", label: text("用户管理"), icon: Users },
  { to: "/admin/audit", label: text("操作记录"), icon: History },
  { to: "/admin/declared", label: text("声明式配置"), icon: GitBranch },
  { to: "/admin/settings", label: text("系统设置"), icon: Settings },
];

/** The chat clients that the operator configured; none for an invalid list. */
function chatItems(status: SiteStatus | undefined): readonly NavigationItem[] {
  const links = parseChatLinks(status?.chats ?? []) ?? [];
  return links.map(({ name }, index) => ({ to: `/chat/${index}`, label: name, icon: MessageCircle }));
}

/** The sidebar's pages for this user on this site, in groups. */
export function navigationGroups(status: SiteStatus | undefined, admin: boolean): readonly NavigationGroup[] {
  const console = [
    ...(status?.enable_data_export === false ? [] : [DASHBOARD]),
    TOKENS,
    LOGS,
    ...(status?.enable_drawing === true ? [IMAGE_TASKS] : []),
    ...(status?.enable_task === true ? [TASKS] : []),
  ];
  const chats = chatItems(status);
  return [
    { label: text("聊天"), icon: MessageCircle, items: [PLAYGROUND, ...chats] },
    { label: text("控制台"), icon: ChartColumn, items: console },
    ...(admin ? [{ label: text("站点管理"), icon: SlidersHorizontal, items: ADMIN_ITEMS }] : []),
    { label: text("个人中心"), icon: Wallet, items: [WALLET, PROFILE, INBOX, PRICING, STATUS, REFERENCE] },
  ];
}
