import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "../../components/ui/collapsible.tsx";
import type { Description, Schema } from "./description.ts";
import { listShapes, type SchemaLine } from "./schema-lines.ts";

type FieldProps = { readonly description: Description; readonly line: SchemaLine };

function FieldText({ line }: { readonly line: SchemaLine }) {
  const { t } = useTranslation();
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <code className="font-mono text-[13px] break-all">{line.name}</code>
      <span className="font-mono text-xs break-all text-muted-foreground">{line.type}</span>
      {line.isRequired && <span className="text-xs text-muted-foreground">{t("必填")}</span>}
    </span>
  );
}

/** A field; one with a shape of its own opens to it. */
function Field({ description, line }: FieldProps) {
  const [isOpen, setOpen] = useState(false);
  const about = line.description !== "" && <p className="pl-5 text-[13px] text-muted-foreground">{line.description}</p>;
  if (!line.children)
    return (
      <li className="flex flex-col py-1">
        <span className="pl-5">
          <FieldText line={line} />
        </span>
        {about}
      </li>
    );
  return (
    <li className="flex flex-col py-1">
      <Collapsible open={isOpen} onOpenChange={setOpen}>
        <CollapsibleTrigger className="flex w-full items-center gap-1 rounded text-left">
          <ChevronRight className={`size-4 shrink-0 ${isOpen ? "rotate-90" : ""}`} aria-hidden />
          <FieldText line={line} />
        </CollapsibleTrigger>
        {about}
        <CollapsibleContent className="ml-2 border-l pl-2">
          {isOpen && <SchemaView description={description} schema={line.children} />}
        </CollapsibleContent>
      </Collapsible>
    </li>
  );
}

type SchemaViewProps = { readonly description: Description; readonly schema: Schema };

/** The fields of a shape, those of each alternative apart. */
export function SchemaView({ description, schema }: SchemaViewProps) {
  const { t } = useTranslation();
  const shapes = listShapes(description, schema);
  if (shapes.length === 0) return <p className="text-[13px] text-muted-foreground">{t("没有固定的字段。")}</p>;
  return shapes.map((lines, index) => (
    <div key={index}>
      {index > 0 && <p className="py-1 text-xs text-muted-foreground">{t("或者")}</p>}
      <ul className="divide-y">
        {lines.map((line) => (
          <Field key={line.name} description={description} line={line} />
        ))}
      </ul>
    </div>
  ));
}
