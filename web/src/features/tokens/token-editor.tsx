import { zodResolver } from "@hookform/resolvers/zod";
import type { CreatedToken, Token } from "@turnpike/contract/api/token";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { EditorSheet } from "../../components/form/editor-sheet.tsx";
import { showFormError } from "../../components/form/field-errors.ts";
import { LoadingSheet } from "../../components/form/loading-sheet.tsx";
import { newActionId } from "../../lib/api/action-id.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { useCreatedKeys } from "./created-keys-state.ts";
import { TokenBasics } from "./token-fields.tsx";
import { toRequestBody, NEW_TOKEN, TokenForm, type TokenValues, toFormValues, toUpdateBody } from "./token-form.ts";
import { toBatchNames } from "../../domain/tokens/token-key.ts";
import { TokenLimits } from "./token-limits.tsx";
import { TokenModelRoutes } from "./token-model-routes.tsx";
import { createToken, refreshTokens, tokenQuery, updateToken } from "../../domain/tokens/tokens-api.ts";

const LIMIT_FIELDS = [
  "modelLimits",
  "allowIps",
  "rateLimitPeriod",
  "rateLimitCount",
  "rateLimitSuccess",
  "tokensPerMinute",
  "concurrentCalls",
] as const;

/** Creates tokens in order; those created before a failure are kept and returned with it. */
async function createAll(values: TokenValues): Promise<{ created: CreatedToken[]; failure: unknown }> {
  const created: CreatedToken[] = [];
  try {
    for (const name of toBatchNames(values.name, values.count)) {
      // One after the other: the list shows them in this order.
      // oxlint-disable-next-line no-await-in-loop
      created.push(await createToken(toRequestBody(values, name)));
    }
    return { created, failure: undefined };
  } catch (failure) {
    return { created, failure };
  }
}

/** The sheet that creates a token or edits the one in the address. */
export function TokenEditor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const close = (): Promise<void> => navigate({ to: "/app/tokens", search: true });
  const token = useQuery({ ...tokenQuery(Number(id)), enabled: id !== undefined });
  if (id !== undefined && !token.data) {
    return (
      <LoadingSheet title={t("编辑令牌")} error={token.error} onRetry={() => void token.refetch()} onClose={close} />
    );
  }
  return <TokenSheet key={id} token={token.data} onClose={close} />;
}

function TokenSheet({ token, onClose }: { readonly token: Token | undefined; readonly onClose: () => Promise<void> }) {
  const { t } = useTranslation();
  const form = useForm<TokenValues>({
    resolver: zodResolver(TokenForm),
    mode: "onTouched",
    defaultValues: token ? toFormValues(token) : NEW_TOKEN,
  });
  const { isDirty, errors, isSubmitted } = form.formState;
  // A repeat of a save that got no response adds nothing.
  const [actionId] = useState(newActionId);
  const [limitsOpen, setLimitsOpen] = useState(false);
  const [routesOpen, setRoutesOpen] = useState(false);
  const routesWrong = errors.modelAliases !== undefined || errors.modelFallbacks !== undefined;
  const limitsWrong = LIMIT_FIELDS.some((name) => errors[name] !== undefined);
  const save = useMutation({
    mutationFn: async (values: TokenValues) => {
      if (token) {
        const { remainQuota = token.remain_quota } = form.formState.defaultValues ?? {};
        await updateToken(toUpdateBody(values, { id: token.id, remainQuota, actionId }));
        return;
      }
      const { created, failure } = await createAll(values);
      if (created.length > 0) useCreatedKeys.setState({ tokens: created });
      if (failure !== undefined) throw failure;
    },
    onSuccess: () => {
      form.reset(form.getValues());
      if (token) notifySuccess(t("已保存"));
    },
    onError: (error) => showFormError(form, error),
    onSettled: refreshTokens,
  });
  return (
    <EditorSheet
      title={token ? t("编辑令牌") : t("新建令牌")}
      description={token ? token.name : t("创建后即可用它的密钥调用模型。")}
      isNew={!token}
      isDirty={isDirty}
      isSaving={save.isPending}
      submitLabel={token ? t("保存") : t("创建")}
      onClose={onClose}
      onSubmit={form.handleSubmit((values) => save.mutateAsync(values).then(onClose, () => undefined))}
    >
      <TokenBasics form={form} isNew={!token} />
      <TokenLimits form={form} open={limitsOpen || (isSubmitted && limitsWrong)} onOpenChange={setLimitsOpen} />
      <TokenModelRoutes form={form} open={routesOpen || (isSubmitted && routesWrong)} onOpenChange={setRoutesOpen} />
    </EditorSheet>
  );
}
