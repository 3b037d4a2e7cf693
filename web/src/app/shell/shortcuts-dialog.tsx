import { useTranslation } from "react-i18next";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "../../components/ui/dialog.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { usePalette } from "./palette-state.ts";

const SHORTCUTS = [
  { keys: ["Ctrl / ⌘", "K"], what: text("搜索并打开任何页面、对象或设置") },
  { keys: ["/"], what: text("搜索当前列表") },
  { keys: ["↑", "↓", "Enter"], what: text("在搜索结果中选择和打开") },
  { keys: ["Esc"], what: text("关闭最上面的窗口") },
  { keys: ["Enter"], what: text("提交表单") },
  { keys: ["?"], what: text("显示快捷键") },
] as const;

/** The keyboard shortcuts of the console. */
export function ShortcutsDialog() {
  const { t } = useTranslation();
  return (
    <Dialog open onOpenChange={(open) => !open && usePalette.setState({ hasHelp: false })}>
      <DialogContent className="max-w-md">
        <DialogHeader>
          <DialogTitle>{t("键盘快捷键")}</DialogTitle>
          <DialogDescription>{t("在任何页面都可以使用。")}</DialogDescription>
        </DialogHeader>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-[13px]">
          {SHORTCUTS.map(({ keys, what }) => (
            <div key={what} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <kbd key={key} className="rounded-md border bg-surface px-1.5 py-0.5 font-mono text-xs">
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd>{t(what)}</dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
