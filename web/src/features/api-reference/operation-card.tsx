import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "../../components/ui/collapsible.tsx";
import { type Description, type Entry, getJsonSchema, resolvePart } from "./description.ts";
import { getTypeName } from "./schema-lines.ts";
import { SchemaView } from "./schema-view.tsx";
import { toCurl } from "./curl.ts";

type PartProps = { readonly title: string; readonly children: ReactNode };

function Part({ title, children }: PartProps) {
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-[13px] font-semibold">{title}</h3>
      {children}
    </section>
  );
}

type DetailsProps = { readonly description: Description; readonly entry: Entry };

function Parameters({ description, entry }: DetailsProps) {
  const { t } = useTranslation();
  const parameters = (entry.operation.parameters ?? []).map((one) => resolvePart(description, one));
  if (parameters.length === 0) return null;
  return (
    <Part title={t("参数")}>
      <ul className="divide-y">
        {parameters.map((one) => (
          <li key={`${one.in} ${one.name}`} className="flex flex-col py-1">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono text-[13px] break-all">{one.name}</code>
              <span className="font-mono text-xs text-muted-foreground">
                {one.in} · {one.schema ? getTypeName(description, one.schema) : "any"}
              </span>
              {one.required === true && <span className="text-xs text-muted-foreground">{t("必填")}</span>}
            </span>
            {one.description !== undefined && (
              <span className="text-[13px] text-muted-foreground">{one.description}</span>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Responses({ description, entry }: DetailsProps) {
  const { t } = useTranslation();
  return (
    <Part title={t("响应")}>
      <ul className="divide-y">
        {Object.entries(entry.operation.responses).map(([status, response]) => {
          const { description: about, content } = resolvePart(description, response);
          const schema = status.startsWith("2") ? getJsonSchema(content) : undefined;
          return (
            <li key={status} className="flex flex-col py-1">
              <span className="flex flex-wrap items-baseline gap-x-2">
                <code className="font-mono text-[13px]">{status}</code>
                <span className="text-[13px] text-muted-foreground">{about}</span>
              </span>
              {schema && <SchemaView description={description} schema={schema} />}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function Details({ description, entry }: DetailsProps) {
  const { t } = useTranslation();
  const body = getJsonSchema(entry.operation.requestBody?.content);
  const curl = toCurl(entry, window.location.origin);
  return (
    <div className="flex flex-col gap-4 border-t px-3 py-3">
      {entry.operation.description !== undefined && (
        <p className="text-[13px] text-muted-foreground">{entry.operation.description}</p>
      )}
      <Parameters description={description} entry={entry} />
      {body && (
        <Part title={t("请求内容")}>
          <SchemaView description={description} schema={body} />
        </Part>
      )}
      <Responses description={description} entry={entry} />
      <Part title="curl">
        <div className="flex items-start gap-1 rounded-md bg-muted p-2">
          <pre className="min-w-0 flex-1 font-mono text-xs break-all whitespace-pre-wrap">{curl}</pre>
          <CopyButton value={curl} label={t("复制命令")} />
        </div>
      </Part>
    </div>
  );
}

/** One call: its line, which opens to parameters, body, responses and a command. */
export function OperationCard({ description, entry }: DetailsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="rounded-lg border">
      <Collapsible open={isOpen} onOpenChange={setOpen}>
        <CollapsibleTrigger className="flex w-full items-center gap-2 rounded-lg px-3 py-2 text-left hover:bg-muted/50">
          <ChevronRight className={`size-4 shrink-0 ${isOpen ? "rotate-90" : ""}`} aria-hidden />
          <Badge variant="outline" className="w-16 justify-center font-mono">
            {entry.method}
          </Badge>
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-[13px] break-all">{entry.path}</code>
            <span className="text-[13px] text-muted-foreground">{entry.operation.summary}</span>
          </span>
        </CollapsibleTrigger>
        <CollapsibleContent>{isOpen && <Details description={description} entry={entry} />}</CollapsibleContent>
      </Collapsible>
    </li>
  );
}
