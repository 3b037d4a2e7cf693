import { SNIPPETS } from "@turnpike/contract/clients/snippets";
import type { SnippetFacts } from "@turnpike/contract/clients/snippet";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { useApiAddress } from "../../lib/status.ts";
import { fullKey, maskedKey } from "./token-key.ts";

type SnippetProps = { readonly apiKey: string | undefined; readonly model: string };
type PartProps = {
  readonly path: string | undefined;
  readonly language: string;
  readonly shown: string;
  readonly copied: string;
};

/** One file, or commands or a program, below its path or its language. */
function Part({ path, language, shown, copied }: PartProps) {
  const { t } = useTranslation();
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border bg-surface">
      <div className="flex items-center gap-2 border-b py-0.5 pr-1 pl-3 text-xs text-muted-foreground">
        <span className="min-w-0 flex-1 font-mono break-all">{path ?? language}</span>
        <CopyButton value={copied} label={path === undefined ? t("复制代码") : t("复制 {{path}} 的内容", { path })} />
      </div>
      <pre className="overflow-x-auto p-3 font-mono text-[13px] leading-5" tabIndex={0}>
        {shown}
      </pre>
    </div>
  );
}

/** Code that makes a call with the real address and key. The key is masked on screen and complete in the copy. */
export function Snippet({ apiKey, model }: SnippetProps) {
  const { t } = useTranslation();
  const address = useApiAddress();
  const [chosen, setChosen] = useState<string>(SNIPPETS[0]?.id ?? "");
  const facts = (key: string): SnippetFacts => ({ address, key, model });
  const real = apiKey === undefined ? "sk-..." : fullKey(apiKey);
  const shown = apiKey === undefined ? "sk-..." : maskedKey(apiKey);
  return (
    <Tabs value={chosen} onValueChange={setChosen} className="flex min-w-0 flex-col gap-2">
      <TabsList aria-label={t("示例代码")} className="h-auto max-w-full flex-wrap justify-start">
        {SNIPPETS.map(({ id, label }) => (
          <TabsTrigger key={id} value={id}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {SNIPPETS.map(({ id, blocks }) => {
        const copies = blocks(facts(real));
        return (
          <TabsContent key={id} value={id} className="flex min-w-0 flex-col gap-2">
            {blocks(facts(shown)).map(({ path, language, code }, index) => (
              <Part
                key={path ?? "code"}
                path={path}
                language={language}
                shown={code}
                copied={copies[index]?.code ?? code}
              />
            ))}
          </TabsContent>
        );
      })}
    </Tabs>
  );
}
