import { X } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { Popover, PopoverAnchor, PopoverContent } from "../ui/popover.tsx";
import type { ControlProps } from "./field-frame.tsx";

type TagInputProps = {
  readonly control: ControlProps;
  readonly values: readonly string[];
  readonly onValuesChange: (values: string[]) => void;
  readonly suggestions: readonly string[];
  readonly placeholder: string;
  /** Accepts suggestions only. */
  readonly closed?: boolean;
  readonly onBlur?: () => void;
};

const SUGGESTIONS_MAX = 50;
const SEPARATORS = /[,\uff0c\n]/;

const merged = (values: readonly string[], added: readonly string[]): string[] => [
  ...new Set([...values, ...added.map((value) => value.trim()).filter((value) => value !== "")]),
];

function Tag({ value, onRemove }: { readonly value: string; readonly onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="flex max-w-full items-center gap-1 rounded-md bg-muted py-0.5 pr-0.5 pl-1.5 text-[13px]">
      <span className="truncate" title={value}>
        {value}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className="rounded-sm p-0.5 text-muted-foreground hover:bg-input hover:text-foreground"
        aria-label={t("移除 {{name}}", { name: value })}
        onClick={onRemove}
      >
        <X className="size-3" />
      </button>
    </span>
  );
}

/** The text being typed, the suggestions that match it, and the keys that choose one. */
function useTagDraft({ values, onValuesChange, suggestions, closed = false }: TagInputProps) {
  const [draft, setDraft] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const matches = useMemo(() => {
    const taken = new Set(values);
    const search = draft.trim().toLowerCase();
    return suggestions
      .filter((name) => !taken.has(name) && name.toLowerCase().includes(search))
      .slice(0, SUGGESTIONS_MAX);
  }, [suggestions, values, draft]);
  const isListOpen = open && matches.length > 0;
  const add = (added: readonly string[]): void => {
    const known = closed ? added.filter((value) => suggestions.includes(value.trim())) : added;
    if (known.length > 0) onValuesChange(merged(values, known));
    setDraft("");
    setActive(-1);
  };
  const addDraft = (): void => {
    if (draft.trim() !== "") add([draft]);
  };
  /** Handles a key; true if the browser must not. */
  const onKey = (key: string): boolean => {
    const chosen = matches[active];
    if (key === "Enter") {
      if (chosen !== undefined) add([chosen]);
      else addDraft();
      return true;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      setOpen(true);
      setActive((now) => Math.max(-1, Math.min(matches.length - 1, now + (key === "ArrowDown" ? 1 : -1))));
      return true;
    }
    if (key === "Backspace" && draft === "") onValuesChange(values.slice(0, -1));
    return false;
  };
  return {
    draft,
    active,
    matches,
    isListOpen,
    setOpen,
    add,
    addDraft,
    type: (typed: string): void => {
      const parts = typed.split(SEPARATORS);
      setOpen(true);
      if (parts.length > 1) add(parts);
      else setDraft(typed);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.nativeEvent.isComposing) return;
      if (onKey(event.key)) event.preventDefault();
      if (event.key === "Escape" && isListOpen) {
        event.stopPropagation();
        setOpen(false);
      }
    },
  };
}

type TagDraft = ReturnType<typeof useTagDraft>;

function Suggestions({ id, draft }: { readonly id: string; readonly draft: TagDraft }) {
  const { t } = useTranslation();
  return (
    <PopoverContent
      align="start"
      className="w-(--radix-popover-trigger-width) p-1"
      onOpenAutoFocus={(event) => event.preventDefault()}
      onCloseAutoFocus={(event) => event.preventDefault()}
      onInteractOutside={(event) => event.preventDefault()}
    >
      <ul id={id} role="listbox" aria-label={t("建议")} className="max-h-56 overflow-y-auto">
        {draft.matches.map((name, index) => (
          <li
            key={name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === draft.active}
            className={cn(
              "cursor-pointer rounded-md px-2 py-1.5 text-sm hover:bg-muted",
              index === draft.active && "bg-muted",
            )}
            onMouseDown={(event) => {
              event.preventDefault();
              draft.add([name]);
            }}
          >
            {name}
          </li>
        ))}
      </ul>
    </PopoverContent>
  );
}

/** Several short texts: typed, pasted as a list, or chosen from suggestions. Backspace removes the last one. */
export function TagInput(props: TagInputProps) {
  const { control, values, onValuesChange, placeholder, onBlur } = props;
  const listId = useId();
  const draft = useTagDraft(props);
  return (
    <Popover open={draft.isListOpen} onOpenChange={draft.setOpen}>
      <PopoverAnchor asChild>
        <div
          className={cn(
            "flex max-h-44 w-full min-w-0 flex-wrap gap-1 overflow-y-auto rounded-lg border border-input bg-background p-1.5 text-sm transition-colors focus-within:border-ring",
            control["aria-invalid"] && "border-destructive",
          )}
        >
          {values.map((value) => (
            <Tag key={value} value={value} onRemove={() => onValuesChange(values.filter((other) => other !== value))} />
          ))}
          <input
            {...control}
            role="combobox"
            aria-expanded={draft.isListOpen}
            aria-controls={listId}
            aria-activedescendant={draft.active >= 0 ? `${listId}-${draft.active}` : undefined}
            autoComplete="off"
            className="h-6 min-w-32 flex-1 bg-transparent px-1.5 text-sm outline-none placeholder:text-muted-foreground/80 max-sm:text-base"
            placeholder={values.length === 0 ? placeholder : ""}
            value={draft.draft}
            onFocus={() => draft.setOpen(true)}
            onChange={(event) => draft.type(event.target.value)}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData("text");
              if (!SEPARATORS.test(pasted)) return;
              event.preventDefault();
              draft.add(pasted.split(SEPARATORS));
            }}
            onKeyDown={draft.onKeyDown}
            onBlur={() => {
              draft.addDraft();
              draft.setOpen(false);
              onBlur?.();
            }}
          />
        </div>
      </PopoverAnchor>
      <Suggestions id={listId} draft={draft} />
    </Popover>
  );
}
