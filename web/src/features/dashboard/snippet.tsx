import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { useApiAddress } from "../../lib/status.ts";
import { fullKey, maskedKey } from "../../domain/tokens/token-key.ts";
import { type SnippetFacts, SNIPPETS } from "./snippets.ts";

type SnippetProps = { readonly apiKey: string | undefined; readonly model: string };

/** Code that makes a call with the real address and key. The key shows masked; the copy has it whole. */
export function Snippet({ apiKey, model }: SnippetProps) {
  const { t } = useTranslation();
  const address = useApiAddress();
  const [chosen, setChosen] = useState<string>(SNIPPETS[0].id);
  const facts = (key: string): SnippetFacts => ({ address, key, model });
  const real = apiKey === undefined ? "sk-..." : fullKey(apiKey);
  const shown = apiKey === undefined ? "sk-..." : maskedKey(apiKey);
  return (
    <Tabs value={chosen} onValueChange={setChosen} className="flex min-w-0 flex-col gap-2">
      <TabsList aria-label={t("示例代码")}>
        {SNIPPETS.map(({ id, label }) => (
          <TabsTrigger key={id} value={id}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {SNIPPETS.map(({ id, code }) => (
        <TabsContent key={id} value={id} className="relative min-w-0">
          <pre className="overflow-x-auto rounded-lg border bg-surface p-3 pr-12 font-mono text-[13px] leading-5">
            {code(facts(shown))}
          </pre>
          <div className="absolute top-2 right-2 rounded-md bg-surface">
            <CopyButton value={code(facts(real))} label={t("复制代码")} />
          </div>
        </TabsContent>
      ))}
    </Tabs>
  );
}
