import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Textarea } from "../../../components/ui/textarea.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { helpText } from "./setting-help.tsx";
import type { SettingProps } from "./setting-fields.tsx";
import { ScrollArea } from "../../../components/ui/scroll-area.tsx";

const SiteText = lazy(async () => ({
  default: (await import("../../../components/site-text/site-text.tsx")).SiteText,
}));

/** A text for visitors, with a preview. */
export function ContentSetting({ section, field, disabled = false }: SettingProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const value = section.valueOf(field.key);
  return (
    <div className="flex min-w-0 flex-col gap-2 sm:col-span-2">
      <FieldFrame label={t(field.label)} help={helpText(field, t)} error={section.findMessage(field.key)}>
        {(control) => (
          <Textarea
            {...control}
            disabled={disabled}
            rows={field.rows ?? 6}
            placeholder={field.placeholder}
            className="font-mono text-[13px]"
            value={value}
            onChange={(event) => section.set(field.key, event.target.value)}
          />
        )}
      </FieldFrame>
      {value.trim() !== "" && (
        <Button
          variant="outline"
          size="sm"
          className="self-start"
          aria-expanded={isShown}
          aria-label={`${isShown ? t("收起预览") : t("预览")}: ${t(field.label)}`}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? t("收起预览") : t("预览")}
        </Button>
      )}
      {isShown && value.trim() !== "" && (
        <ScrollArea className="max-h-96 rounded-lg border" role="region" aria-label={`${t("预览")}: ${t(field.label)}`}>
          <div className="p-4">
            <Suspense fallback={<Skeleton className="h-16 w-full" />}>
              <SiteText source={value} />
            </Suspense>
          </div>
        </ScrollArea>
      )}
    </div>
  );
}
