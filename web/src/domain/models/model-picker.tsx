import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { groupByVendor } from "./vendors.ts";
import { VendorSection } from "./vendor-section.tsx";

/** A source of models to choose from; `label` is translated. */
export type ModelSource = { readonly id: string; readonly label: string; readonly models: readonly string[] };

type ModelPickerProps = {
  readonly sources: readonly ModelSource[];
  readonly chosen: readonly string[];
  /** Models of the first source that were not chosen before are marked as new. */
  readonly marksNew?: boolean;
  /** Allows names that no source has. */
  readonly takesOthers?: boolean;
  /** A few words about a model of the first source, such as its price. */
  readonly note?: (model: string) => string | undefined;
  readonly onApply: (models: readonly string[]) => void;
  readonly onClose: () => void;
};

const CHOSEN = "chosen";

function useMarks(chosen: readonly string[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(() => new Set(chosen));
  const mark = (models: readonly string[], on: boolean): void => {
    const next = new Set(marked);
    for (const model of models) {
      if (on) next.add(model);
      else next.delete(model);
    }
    setMarked(next);
  };
  return { marked, mark };
}

type PickerBarProps = {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** Whether a model matches the filter. */
  readonly canMark: boolean;
  readonly onMark: (on: boolean) => void;
};

/** The search, and the choice of all that matches. */
function PickerBar({ filter, onFilter, canMark, onMark }: PickerBarProps) {
  const { t } = useTranslation();
  const look = { variant: "outline", size: "sm", className: "h-9", disabled: !canMark } as const;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Input
        value={filter}
        className="min-w-40 flex-1"
        placeholder={t("筛选模型")}
        aria-label={t("筛选模型")}
        onChange={(event) => onFilter(event.target.value)}
      />
      <Button {...look} onClick={() => onMark(true)}>
        {t("全选")}
      </Button>
      <Button {...look} onClick={() => onMark(false)}>
        {t("全不选")}
      </Button>
    </div>
  );
}

/** Chooses among many models: by source, by vendor, by search. Chosen models that are not visible stay chosen. */
export function ModelPicker(props: ModelPickerProps) {
  const { sources, chosen, marksNew = false, takesOthers = false, note, onApply, onClose } = props;
  const { t } = useTranslation();
  const [tab, setTab] = useState(sources[0]?.id ?? CHOSEN);
  const [filter, setFilter] = useState("");
  const { marked, mark } = useMarks(chosen);
  const tabs: readonly ModelSource[] = [...sources, { id: CHOSEN, label: t("已选"), models: [...marked] }];
  const search = filter.trim();
  const source = tabs.find(({ id }) => id === tab);
  const matching = (source?.models ?? []).filter((model) => model.toLowerCase().includes(search.toLowerCase()));
  const groups = groupByVendor([...new Set(matching)]);
  const shown = groups.flatMap(({ models }) => models);
  const known = new Set(chosen);
  const isNew = (model: string): boolean => marksNew && tab === sources[0]?.id && !known.has(model);
  const mayAdd =
    takesOthers && search !== "" && !marked.has(search) && !tabs.some(({ models }) => models.includes(search));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-2xl">
        <DialogTitle>{t("选择模型")}</DialogTitle>
        <DialogDescription>{t("按厂商分组，可以搜索，也可以整组选择。")}</DialogDescription>
        <Tabs value={tab} onValueChange={setTab} className="flex min-h-0 flex-col gap-3">
          <TabsList aria-label={t("来源")}>
            {tabs.map(({ id, label, models }) => (
              <TabsTrigger key={id} value={id}>
                {`${label} ${models.length}`}
              </TabsTrigger>
            ))}
          </TabsList>
          <PickerBar filter={filter} onFilter={setFilter} canMark={shown.length > 0} onMark={(on) => mark(shown, on)} />
          {mayAdd && (
            <Button variant="outline" className="justify-start" onClick={() => mark([search], true)}>
              <Plus />
              <span className="truncate">{t("添加“{{name}}”", { name: search })}</span>
            </Button>
          )}
          <TabsContent value={tab} className="flex h-[min(26rem,45dvh)] flex-col gap-3 overflow-y-auto">
            {groups.map(({ vendor, models }) => (
              <VendorSection
                key={vendor ?? ""}
                name={vendor ?? t("其他")}
                models={models}
                marked={marked}
                isNew={isNew}
                note={tab === sources[0]?.id ? note : undefined}
                onMark={mark}
              />
            ))}
            {groups.length === 0 && <p className="py-10 text-center text-muted-foreground">{t("没有找到。")}</p>}
          </TabsContent>
        </Tabs>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            {t("取消")}
          </Button>
          <Button onClick={() => onApply([...marked])}>
            {t("使用所选的 {{count}} 个模型", { count: marked.size })}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
