import { zodResolver } from "@hookform/resolvers/zod";
import type { Redemption } from "@turnpike/contract/api/redemption";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { EditorSheet } from "../../components/form/editor-sheet.tsx";
import { LoadingSheet } from "../../components/form/loading-sheet.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { RedemptionCodeFields } from "./redemption-code-fields.tsx";
import {
  RedemptionCodeForm,
  type RedemptionCodeValues,
  toCreateBody,
  NEW_REDEMPTION_CODE,
  toFormValues,
} from "./redemption-code-form.ts";
import {
  redemptionCodeQuery,
  createRedemptionCodes,
  refreshRedemptionCodes,
  updateRedemptionCode,
} from "./redemption-codes-api.ts";
import { useCreatedRedemptionCodes } from "./created-codes-state.ts";

/** The sheet that creates codes or edits the one in the address. */
export function RedemptionCodeEditor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const close = (): Promise<void> => navigate({ to: "/admin/coupons", search: true });
  const redemptionCode = useQuery({ ...redemptionCodeQuery(Number(id)), enabled: id !== undefined });
  if (id !== undefined && !redemptionCode.data) {
    return (
      <LoadingSheet
        title={t("编辑兑换码")}
        error={redemptionCode.error}
        onRetry={() => void redemptionCode.refetch()}
        onClose={close}
      />
    );
  }
  return <RedemptionCodeSheet key={id} redemptionCode={redemptionCode.data} onClose={close} />;
}

function RedemptionCodeSheet({
  redemptionCode,
  onClose,
}: {
  readonly redemptionCode: Redemption | undefined;
  readonly onClose: () => Promise<void>;
}) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const form = useForm<RedemptionCodeValues>({
    resolver: zodResolver(RedemptionCodeForm),
    mode: "onTouched",
    defaultValues: redemptionCode ? toFormValues(redemptionCode) : NEW_REDEMPTION_CODE,
  });
  const save = useMutation({
    mutationFn: async (values: RedemptionCodeValues) => {
      const body = toCreateBody(values, formatMoney(values.quota));
      if (!redemptionCode) {
        useCreatedRedemptionCodes.setState({
          created: { name: body.name ?? "", keys: await createRedemptionCodes(body) },
        });
        return;
      }
      const { name, quota, valid_from, valid_until } = body;
      await updateRedemptionCode({ id: redemptionCode.id, name, quota, valid_from, valid_until });
      notifySuccess(t("已保存"));
    },
    onError: notifyError,
    onSettled: refreshRedemptionCodes,
  });
  return (
    <EditorSheet
      title={redemptionCode ? t("编辑兑换码") : t("新建兑换码")}
      description={
        redemptionCode
          ? t("#{{id}} {{name}}", { id: redemptionCode.id, name: redemptionCode.name })
          : t("一次可以创建多个相同的兑换码。")
      }
      isNew={!redemptionCode}
      isDirty={form.formState.isDirty}
      isSaving={save.isPending}
      submitLabel={redemptionCode ? t("保存") : t("创建")}
      onClose={onClose}
      onSubmit={form.handleSubmit((values) => save.mutateAsync(values).then(onClose, () => undefined))}
    >
      <RedemptionCodeFields form={form} isNew={!redemptionCode} />
    </EditorSheet>
  );
}
