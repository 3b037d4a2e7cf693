import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { Input } from "../../../components/ui/input.tsx";
import type { GroupRow } from "./group-rows.ts";
import { NumberCell } from "./number-cell.tsx";

type GroupTableProps = { readonly rows: readonly GroupRow[]; readonly onChange: (rows: readonly GroupRow[]) => void };

/** The name of a new group; it must not be taken. */
function NewGroup({ rows, onChange }: GroupTableProps) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = name.trim();
    const found =
      wanted === "" ? t("请输入分组名称") : rows.some((row) => row.name === wanted) ? t("分组名称已存在") : undefined;
    setProblem(found);
    if (found !== undefined) return;
    onChange([...rows, { name: wanted, ratio: 1, description: undefined }]);
    setName("");
  };
  return (
    <form noValidate onSubmit={add}>
      <FieldFrame label={t("新分组")} error={problem}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              autoComplete="off"
              className="max-w-56 font-mono"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <Button variant="outline" type="submit">
              <Plus />
              {t("添加")}
            </Button>
          </div>
        )}
      </FieldFrame>
    </form>
  );
}

type GroupLineProps = {
  readonly row: GroupRow;
  readonly onRow: (row: GroupRow) => void;
  readonly onRemove: () => void;
};

function GroupLine({ row, onRow, onRemove }: GroupLineProps) {
  const { t } = useTranslation();
  const { name, ratio, description } = row;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-2 border-b px-3 py-2 last:border-b-0 sm:grid-cols-[minmax(0,10rem)_auto_auto_minmax(0,1fr)_auto]">
      <span className="truncate font-mono text-[13px]" title={name}>
        {name}
      </span>
      <NumberCell
        label={t("{{name}} 的倍率", { name })}
        value={ratio}
        onValue={(next) => onRow({ ...row, ratio: next })}
      />
      <Button
        variant="ghost"
        size="icon-sm"
        className="sm:order-last sm:col-start-5"
        aria-label={t("移除 {{name}}", { name })}
        onClick={onRemove}
      >
        <Trash2 />
      </Button>
      <label className="flex items-center gap-2 text-[13px] whitespace-nowrap">
        <Checkbox
          checked={description !== undefined}
          onCheckedChange={(on) => onRow({ ...row, description: on ? name : undefined })}
        />
        {t("用户可选")}
      </label>
      {description !== undefined && (
        <Input
          aria-label={t("{{name}} 的说明", { name })}
          className="h-8 max-sm:col-span-3"
          autoComplete="off"
          value={description}
          onChange={(event) => onRow({ ...row, description: event.target.value })}
        />
      )}
    </li>
  );
}

/** Groups with their ratios; those with a mark are offered to users under the text beside it. */
export function GroupTable({ rows, onChange }: GroupTableProps) {
  return (
    <div className="flex flex-col gap-3">
      <ul className="rounded-lg border">
        {rows.map((row) => (
          <GroupLine
            key={row.name}
            row={row}
            onRow={(next) => onChange(rows.map((one) => (one.name === row.name ? next : one)))}
            onRemove={() => onChange(rows.filter((one) => one.name !== row.name))}
          />
        ))}
      </ul>
      <NewGroup rows={rows} onChange={onChange} />
    </div>
  );
}
