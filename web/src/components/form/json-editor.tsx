import { WandSparkles } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { findJsonProblem, type JsonProblem } from "../../lib/api/json-problem.ts";
import { Button } from "../ui/button.tsx";
import type { ControlProps } from "./field-frame.tsx";

type JsonEditorProps = {
  readonly control: ControlProps;
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  /** An error beyond syntax, at its line. */
  readonly problem?: JsonProblem | undefined;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly onBlur?: () => void;
};

function Gutter({ lines, wrong }: { readonly lines: number; readonly wrong: number | undefined }) {
  return (
    <div aria-hidden className="shrink-0 border-r bg-surface py-2 text-right text-muted-foreground select-none">
      {Array.from({ length: lines }, (_, index) => (
        <div
          key={index}
          className={cn("h-5 px-2", wrong === index + 1 && "bg-destructive-soft font-semibold text-destructive")}
        >
          {index + 1}
        </div>
      ))}
    </div>
  );
}

/** A small JSON editor: line numbers, formatting, and the first error with its position. An empty text is valid. */
export function JsonEditor(props: JsonEditorProps) {
  const { control, value, onValueChange, rows = 8, placeholder, onBlur } = props;
  const { t } = useTranslation();
  const area = useRef<HTMLTextAreaElement>(null);
  const syntax = value.trim() === "" ? undefined : findJsonProblem(value);
  const problem = syntax ?? props.problem;
  const lines = Math.max(rows, value.split("\n").length);
  const jump = (): void => {
    if (!problem || !area.current) return;
    const before = value
      .split("\n")
      .slice(0, problem.line - 1)
      .join("\n");
    const offset = (problem.line > 1 ? before.length + 1 : 0) + problem.column - 1;
    area.current.focus();
    area.current.setSelectionRange(offset, offset + 1);
  };
  return (
    <div
      className={cn(
        "overflow-hidden rounded-lg border border-input focus-within:border-ring",
        (problem ?? control["aria-invalid"]) && "border-destructive",
      )}
    >
      <div className="max-h-96 overflow-auto" style={{ minHeight: `${rows * 1.25 + 1}rem` }}>
        <div className="flex min-h-full font-mono text-[13px] leading-5">
          <Gutter lines={lines} wrong={problem?.line} />
          <textarea
            {...control}
            ref={area}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            rows={lines}
            placeholder={placeholder}
            className="min-w-0 flex-1 resize-none bg-transparent p-2 leading-5 whitespace-pre outline-none"
            value={value}
            onChange={(event) => onValueChange(event.target.value)}
            onBlur={onBlur}
          />
        </div>
      </div>
      <div className="flex min-h-9 items-center justify-between gap-2 border-t bg-surface px-2 py-1 text-[13px]">
        <p role="status" className="min-w-0 flex-1">
          {problem && (
            <button type="button" className="text-left text-destructive hover:underline" onClick={jump}>
              {t("第 {{line}} 行第 {{column}} 列：{{problem}}", {
                line: problem.line,
                column: problem.column,
                problem: t(problem.message),
              })}
            </button>
          )}
        </p>
        <Button
          variant="ghost"
          size="sm"
          className="h-7"
          disabled={syntax !== undefined || value.trim() === ""}
          onClick={() => onValueChange(JSON.stringify(JSON.parse(value), undefined, 2))}
        >
          <WandSparkles />
          {t("格式化")}
        </Button>
      </div>
    </div>
  );
}
