import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../components/busy-button.tsx";
import { Notice } from "../../components/notice.tsx";
import { CallCost } from "../../domain/logs/call-cost.tsx";
import { chooseChatModel } from "../../domain/tokens/chat-model.ts";
import { ModelChoice } from "../../domain/tokens/model-choice.tsx";
import { Snippet } from "../../domain/tokens/snippet.tsx";
import { fullKey } from "../../domain/tokens/token-key.ts";
import { tokensQuery, userModelsQuery } from "../../domain/tokens/tokens-api.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { callModel, type FirstResponse } from "./start-api.ts";

const TOKENS_SHOWN = 20;

/** The key of the new token, else that of another enabled one. */
function useKey(created: string | undefined): string | undefined {
  const tokens = useQuery({ ...tokensQuery({ page: 1, pageSize: TOKENS_SHOWN }), enabled: created === undefined });
  const usable = tokens.data?.items.find(({ status, key }) => status === TOKEN_STATUS.enabled && key !== "");
  return created ?? usable?.key;
}

function ResponsePanel({ response }: { readonly response: FirstResponse }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2 rounded-lg border p-3" role="status">
      <p className="text-xs text-muted-foreground">{t("模型的回答")}</p>
      <p className="whitespace-pre-wrap">{response.text}</p>
      <CallCost requestId={response.requestId} />
    </div>
  );
}

/** The first call: as code with the real address and key, or from this page. */
export function CallStep({ createdKey }: { readonly createdKey: string | undefined }) {
  const { t } = useTranslation();
  const key = useKey(createdKey);
  const models = useQuery(userModelsQuery).data ?? [];
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? chooseChatModel(models) ?? "";
  const run = useMutation({ mutationFn: () => callModel(fullKey(key ?? ""), model) });
  if (models.length === 0 || key === undefined)
    return <Notice tone="warn">{t("需要一个有价格的模型和一个启用的令牌，请先完成前两步。")}</Notice>;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ModelChoice models={models} model={model} onChoose={setChosen} />
      <Snippet apiKey={key} model={model} />
      <BusyButton className="self-start" busy={run.isPending} onClick={() => run.mutate()}>
        <Play />
        {t("在这里调用一次")}
      </BusyButton>
      {run.isError && <Notice tone="bad">{describeError(run.error, t)}</Notice>}
      {run.data && <ResponsePanel response={run.data} />}
    </div>
  );
}
