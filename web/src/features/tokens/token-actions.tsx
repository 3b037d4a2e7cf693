import type { Token } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { useNavigate } from "@tanstack/react-router";
import {
  Ban,
  ChartNoAxesColumn,
  CircleCheck,
  Copy,
  MessageCircle,
  Pencil,
  ScrollText,
  SquareTerminal,
  Trash2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { copyText } from "../../components/copy-text.ts";
import type { RowAction } from "../../components/data-table/actions/row-action.ts";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { useApiAddress } from "../../lib/status.ts";
import { notifyError, notifyProblem, notifySuccess, notifyUndoable } from "../../lib/toast.ts";
import { fillLink, isOpenable } from "./chat/chat-links.ts";
import { useChatLinks } from "./chat/use-chat-key.ts";
import { useTokenInUse } from "./token-in-use.ts";
import { isExpiredOrExhausted } from "./token-expiry.ts";
import { fullKey } from "../../domain/tokens/token-key.ts";
import { deleteToken, refreshTokens, setTokenStatus } from "../../domain/tokens/tokens-api.ts";

const finish = (work: Promise<unknown>, message: string): void =>
  void work.then(() => notifySuccess(message), notifyError).then(refreshTokens);

const setTokenOn = (id: number, on: boolean): Promise<unknown> =>
  setTokenStatus(id, on ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled);

/** Enables or disables a token, and offers to undo that. */
const finishSwitch = (id: number, on: boolean, message: string): void =>
  void setTokenOn(id, on)
    .then(() => notifyUndoable(message, () => setTokenOn(id, !on).finally(() => void refreshTokens())), notifyError)
    .then(refreshTokens);

/** Opens the site's chat clients with one token. */
function useChatActions(): (token: Token) => readonly RowAction[] {
  const { t } = useTranslation();
  const links = useChatLinks() ?? [];
  const address = useApiAddress();
  return ({ key, status }) =>
    key === "" || status !== TOKEN_STATUS.enabled
      ? []
      : links.map((link) => ({
          label: t("在 {{name}} 中聊天", { name: link.name }),
          icon: MessageCircle,
          onSelect: () => {
            const url = fillLink(link, { key: fullKey(key), address });
            if (isOpenable(url)) window.open(url, "_blank", "noreferrer");
            else notifyProblem(t("聊天链接配置错误，请联系管理员"), "");
          },
        }));
}

/** Enables or disables a token; an expired or exhausted one can be enabled after an edit has changed that. */
function useToggle(): (token: Token) => RowAction {
  const { t } = useTranslation();
  const now = useNowSeconds();
  return (token) => {
    const { id, name, status } = token;
    return status === TOKEN_STATUS.enabled
      ? {
          label: t("禁用"),
          icon: Ban,
          frequent: true,
          onSelect: () => finishSwitch(id, false, t("已禁用“{{name}}”", { name })),
        }
      : {
          label: t("启用"),
          icon: CircleCheck,
          frequent: true,
          disabled: isExpiredOrExhausted(token, now),
          onSelect: () => finishSwitch(id, true, t("已启用“{{name}}”", { name })),
        };
  };
}

/** The actions of one token. */
export function useTokenActions(): (token: Token) => readonly RowAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const chatActions = useChatActions();
  const toggle = useToggle();
  const remove = async ({ id, name }: Token): Promise<void> => {
    const sure = await confirm({
      title: t("删除令牌“{{name}}”？", { name }),
      description: t("使用这个密钥的程序会立刻失去访问权限，此操作无法撤销。"),
      action: t("删除"),
      danger: true,
    });
    if (sure) finish(deleteToken(id), t("已删除“{{name}}”", { name }));
  };
  return (token) => {
    const params = { id: String(token.id) };
    const copy = { label: t("复制密钥"), icon: Copy, onSelect: () => void copyText(fullKey(token.key)) };
    return [
      {
        label: t("编辑"),
        icon: Pencil,
        frequent: true,
        onSelect: () => void navigate({ to: "/app/tokens/$id", params, search: true }),
      },
      toggle(token),
      {
        label: t("使用此令牌"),
        icon: SquareTerminal,
        onSelect: () => useTokenInUse.setState({ token }),
      },
      ...(token.key === "" ? [] : [copy]),
      ...chatActions(token),
      {
        label: t("查看用量"),
        icon: ChartNoAxesColumn,
        onSelect: () => void navigate({ to: "/app/tokens/$id/usage", params, search: true }),
      },
      {
        label: t("查看日志"),
        icon: ScrollText,
        onSelect: () => void navigate({ to: "/app/logs/api-usage", search: { token: token.name } }),
      },
      { label: t("删除"), icon: Trash2, danger: true, onSelect: () => void remove(token) },
    ];
  };
}
