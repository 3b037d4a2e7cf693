import type { RowData } from "@tanstack/react-table";
import { Check, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../form/field-frame.tsx";
import { Button } from "../../ui/button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "../../ui/dialog.tsx";
import { Input } from "../../ui/input.tsx";
import { type SavedView, useSavedViews, VIEW_NAME_LENGTH_MAX, withName, withView } from "./saved-views.ts";
import type { TableInstance } from "../table-features.ts";

type ViewRowProps = {
  readonly view: SavedView;
  readonly onOpen: () => void;
  readonly onDelete: () => void;
  /** Returns whether the name was accepted. */
  readonly onRename: (name: string) => boolean;
};

type NameEditorProps = { readonly name: string; readonly onSave: (name: string) => boolean };

function NameEditor({ name, onSave }: NameEditorProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(name);
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setWrong(!onSave(draft.trim()));
  };
  return (
    <form noValidate className="flex flex-1 items-start gap-1" onSubmit={submit}>
      <FieldFrame
        label={t("视图名称")}
        className="flex-1 [&>label]:sr-only"
        error={isWrong ? t("名称不能为空，也不能与其他视图相同") : undefined}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            value={draft}
            maxLength={VIEW_NAME_LENGTH_MAX}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
      </FieldFrame>
      <Button type="submit" variant="ghost" size="icon" aria-label={t("保存")}>
        <Check />
      </Button>
    </form>
  );
}

/** A saved view: its name opens it. */
function ViewRow({ view, onOpen, onDelete, onRename }: ViewRowProps) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const { name } = view;
  if (isEditing)
    return (
      <li className="flex">
        <NameEditor
          name={name}
          onSave={(next) => {
            const isSaved = onRename(next);
            setEditing(!isSaved);
            return isSaved;
          }}
        />
      </li>
    );
  return (
    <li className="flex items-center gap-1">
      <Button variant="ghost" className="min-w-0 flex-1 justify-start" onClick={onOpen}>
        <span className="truncate">{name}</span>
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("重命名视图“{{name}}”", { name })}
        onClick={() => setEditing(true)}
      >
        <Pencil />
      </Button>
      <Button variant="ghost" size="icon" aria-label={t("删除视图“{{name}}”", { name })} onClick={onDelete}>
        <Trash2 />
      </Button>
    </li>
  );
}

/** Names the current view. */
function SaveView({ onSave }: { readonly onSave: (name: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setTried(name.trim() === "");
    if (name.trim() === "") return;
    onSave(name.trim());
    setName("");
  };
  return (
    <form noValidate className="flex flex-col gap-2 border-t pt-4" onSubmit={submit}>
      <FieldFrame
        label={t("保存当前视图")}
        help={t("保存筛选、排序和列。同名的视图会被替换。")}
        error={tried ? t("请输入视图名称") : undefined}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              value={name}
              maxLength={VIEW_NAME_LENGTH_MAX}
              autoComplete="off"
              placeholder={t("视图名称")}
              onChange={(event) => setName(event.target.value)}
            />
            <Button type="submit">{t("保存")}</Button>
          </div>
        )}
      </FieldFrame>
    </form>
  );
}

export type ViewsDialogProps<Data extends RowData> = {
  readonly tableId: string;
  readonly table: TableInstance<Data>;
  readonly trigger: ReactElement;
};

/** Saves the state of a list under a name, and opens, renames and deletes saved ones. Open at first. */
export function ViewsDialog<Data extends RowData>({ tableId, table, trigger }: ViewsDialogProps<Data>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const saved = useSavedViews(tableId);
  const { views } = saved;
  const show = (view: SavedView): void => {
    table.setColumnVisibility(view.visibility);
    table.setColumnOrder(view.order);
    saved.open(view);
    setOpen(false);
  };
  const save = (name: string): void => {
    const { columnVisibility: visibility, columnOrder: order } = table.state;
    saved.store(withView(views, { name, search: saved.search, visibility, order }));
  };
  const rename = (from: string, to: string): boolean => {
    const next = withName(views, from, to);
    if (next) saved.store(next);
    return next !== undefined;
  };
  return (
    <Dialog open={isOpen} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="max-w-sm">
        <DialogHeader>
          <DialogTitle>{t("视图")}</DialogTitle>
          <DialogDescription>{t("打开保存过的视图，或保存当前的。只在本浏览器中保存。")}</DialogDescription>
        </DialogHeader>
        {views.length === 0 ? (
          <p className="text-[13px] text-muted-foreground">{t("还没有保存的视图。")}</p>
        ) : (
          <ul className="flex max-h-72 flex-col gap-0.5 overflow-y-auto" aria-label={t("视图")}>
            {views.map((view) => (
              <ViewRow
                key={view.name}
                view={view}
                onOpen={() => show(view)}
                onDelete={() => saved.store(views.filter((one) => one !== view))}
                onRename={(name) => rename(view.name, name)}
              />
            ))}
          </ul>
        )}
        <SaveView onSave={save} />
      </DialogContent>
    </Dialog>
  );
}
