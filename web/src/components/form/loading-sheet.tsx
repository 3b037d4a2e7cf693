import { useTranslation } from "react-i18next";
import { ErrorState } from "../states.tsx";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

type LoadingSheetProps = {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onClose: () => unknown;
};

/** An editor whose object is loading, or failed to load. */
export function LoadingSheet({ title, error, onRetry, onClose }: LoadingSheetProps) {
  const { t } = useTranslation();
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{title}</SheetTitle>
          <SheetDescription>{error === null ? t("加载中…") : t("加载失败")}</SheetDescription>
        </SheetHeader>
        {error === null ? (
          <div className="flex flex-col gap-4 p-5">
            {Array.from({ length: 5 }, (_, index) => (
              <Skeleton key={index} className="h-14 w-full" />
            ))}
          </div>
        ) : (
          <ErrorState error={error} onRetry={onRetry} />
        )}
      </SheetContent>
    </Sheet>
  );
}
