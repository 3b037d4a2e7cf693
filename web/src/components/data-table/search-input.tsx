import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";

type SearchInputProps = {
  readonly value: string;
  readonly onSearch: (value: string) => void;
  readonly label: string;
  /** The page's search: a landmark, and the field that the "/" key focuses. Other filters are neither. */
  readonly main?: boolean;
  readonly className?: string;
};

const DELAY_MS = 350;

/** A filter that applies itself shortly after the last key, or immediately on Enter. */
export function SearchInput({ value, onSearch, label, main = false, className }: SearchInputProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(value);
  const sent = useRef(value);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const apply = (next: string): void => {
    clearTimeout(timer.current);
    if (next === sent.current) return;
    sent.current = next;
    onSearch(next);
  };
  const change = (next: string): void => {
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(next.trim()), DELAY_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The value changed from outside: Back, a cleared filter or a link.
    if (value === sent.current) return;
    sent.current = value;
    setDraft(value);
  }, [value]);
  return (
    <div role={main ? "search" : undefined} className={cn("relative w-full sm:w-56", className)}>
      <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted-foreground" aria-hidden />
      <Input
        ref={input}
        value={draft}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts={main ? "/" : undefined}
        data-main-search={main ? "" : undefined}
        className="px-8"
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && apply(draft.trim())}
      />
      {draft !== "" && (
        <Button
          variant="ghost"
          size="icon-sm"
          className="absolute top-1 right-1"
          aria-label={t("清空")}
          onClick={() => {
            setDraft("");
            apply("");
            input.current?.focus();
          }}
        >
          <X />
        </Button>
      )}
    </div>
  );
}
