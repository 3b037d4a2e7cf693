import type { UserProfile } from "@turnpike/contract/api/user";
import { ArrowDownToLine, ArrowUpToLine, Ban, CircleCheck, type LucideIcon, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import type { RowAction } from "../../components/data-table/actions/row-action.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { notifyError, notifySuccess, notifyUndoable } from "../../lib/toast.ts";
import { listUserActions, canEnable, type UserAction } from "../../domain/users/user-rules.ts";
import { manageUser, refreshUsers } from "../../domain/users/users-api.ts";

type Texts = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly done: string;
  /** The question before the action, and its consequence. */
  readonly question?: string;
  readonly warning?: string;
  readonly danger?: boolean;
};

const TEXTS: Readonly<Record<UserAction, Texts>> = {
  promote: {
    label: text("提升为管理员"),
    icon: ArrowUpToLine,
    done: text("已将“{{name}}”提升为管理员"),
    question: text("将“{{name}}”提升为管理员？"),
    warning: text("管理员可以管理渠道、兑换码、普通用户和系统设置。"),
  },
  demote: {
    label: text("降为普通用户"),
    icon: ArrowDownToLine,
    done: text("已将“{{name}}”降为普通用户"),
    question: text("将“{{name}}”降为普通用户？"),
    warning: text("该用户会立刻失去管理权限，所有登录会话都会结束。"),
  },
  disable: {
    label: text("封禁"),
    icon: Ban,
    done: text("已封禁“{{name}}”"),
    question: text("封禁用户“{{name}}”？"),
    warning: text("该用户的登录会话和所有令牌会立刻停用，可以随时解封。"),
    danger: true,
  },
  enable: { label: text("解封"), icon: CircleCheck, done: text("已解封“{{name}}”") },
  delete: {
    label: text("注销"),
    icon: Trash2,
    done: text("已注销“{{name}}”"),
    question: text("注销用户“{{name}}”？"),
    warning: text("该用户将无法登录和调用，用户名不能再被注册，此操作无法撤销。"),
    danger: true,
  },
};

/** Actions that lose nothing, with what takes them back. */
const OPPOSITES: Readonly<Partial<Record<UserAction, UserAction>>> = { disable: "enable", enable: "disable" };

/** Row actions that change a user's role and status, by the role of the signed-in user; dangerous ones require confirmation. */
export function useManageActions(): (user: UserProfile, role: number) => readonly RowAction[] {
  const { t } = useTranslation();
  const run = async (user: UserProfile, action: UserAction): Promise<void> => {
    const { label, done, question, warning, danger = false } = TEXTS[action];
    const name = { name: user.username };
    if (question !== undefined) {
      const requested = { title: t(question, name), action: t(label), danger };
      if (!(await confirm(warning === undefined ? requested : { ...requested, description: t(warning) }))) return;
    }
    const opposite = OPPOSITES[action];
    await manageUser(user.id, action).then(() => {
      if (opposite === undefined) notifySuccess(t(done, name));
      else notifyUndoable(t(done, name), () => manageUser(user.id, opposite).finally(() => void refreshUsers()));
    }, notifyError);
    await refreshUsers();
  };
  return (user, role) =>
    listUserActions(role, user).map((action) => ({
      label: t(TEXTS[action].label),
      icon: TEXTS[action].icon,
      danger: TEXTS[action].danger === true,
      disabled: action === "enable" && !canEnable(user),
      onSelect: () => void run(user, action),
    }));
}
