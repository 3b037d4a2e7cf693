import { Plus, Trash2 } from "lucide-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import type { GroupRow } from "./group-rows.ts";
import { NumberCell } from "../lists/number-cell.tsx";

type GroupTableProps = { readonly rows: readonly GroupRow[]; readonly onChange: (rows: readonly GroupRow[]) => void };

const newGroupForm = (taken: readonly string[]) =>
  z.object({
    name: z.string().check(
      z.trim(),
      z.minLength(1, text("请输入分组名称")),
      z.refine((name) => !taken.includes(name), text("分组名称已存在")),
    ),
  });

/** The name of a new group; it must be unused. */
function NewGroup({ rows, onChange }: GroupTableProps) {
  const { t } = useTranslation();
  const form = useSmallForm(newGroupForm(rows.map((row) => row.name)), { name: "" });
  const error = form.getError("name");
  const add = form.submit(async ({ name }) => {
    form.reset();
    onChange([...rows, { name, ratio: 1, description: undefined }]);
  });
  return (
    <form noValidate onSubmit={add}>
      <FieldFrame label={t("新分组")} error={error && t(error)}>
        {(control) => (
          <div className="flex gap-2">
            <Input {...control} {...form.field("name")} autoComplete="off" className="max-w-56 font-mono" />
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

function groupColumns(t: TFunction, onRow: (row: GroupRow) => void): readonly DataColumn<GroupRow>[] {
  return [
    {
      id: "name",
      label: t("分组"),
      card: "title",
      className: "truncate font-mono",
      value: (row) => row.name,
      cell: (row) => <span title={row.name}>{row.name}</span>,
    },
    {
      id: "ratio",
      label: t("倍率"),
      card: "fact",
      cell: (row) => (
        <NumberCell
          label={t("{{name}} 的倍率", { name: row.name })}
          value={row.ratio}
          onValue={(ratio) => onRow({ ...row, ratio })}
        />
      ),
    },
    {
      id: "selectable",
      label: t("用户可选"),
      card: "fact",
      cell: (row) => (
        <Checkbox
          aria-label={t("{{action}}：{{name}}", { action: t("用户可选"), name: row.name })}
          checked={row.description !== undefined}
          onCheckedChange={(on) => onRow({ ...row, description: on === true ? row.name : undefined })}
        />
      ),
    },
    {
      id: "description",
      label: t("说明"),
      card: "fact",
      className: "w-full max-w-none",
      cell: (row) =>
        row.description !== undefined && (
          <Input
            aria-label={t("{{name}} 的说明", { name: row.name })}
            className="h-8"
            autoComplete="off"
            value={row.description}
            onChange={(event) => onRow({ ...row, description: event.target.value })}
          />
        ),
    },
  ];
}

/** Groups with their ratios; users may choose the checked ones, which show the text next to them. */
export function GroupTable({ rows, onChange }: GroupTableProps) {
  const { t } = useTranslation();
  const columns = groupColumns(t, (next) => onChange(rows.map((one) => (one.name === next.name ? next : one))));
  return (
    <div className="flex flex-col gap-3">
      <DataTable
        label={t("分组")}
        className="rounded-lg border"
        columns={columns}
        rows={rows}
        getRowId={({ name }) => name}
        getRowActions={(row) => [
          {
            label: t("移除"),
            icon: Trash2,
            frequent: true,
            danger: true,
            onSelect: () => onChange(rows.filter(({ name }) => name !== row.name)),
          },
        ]}
      />
      <NewGroup rows={rows} onChange={onChange} />
    </div>
  );
}
