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
import { CouponFields } from "./coupon-fields.tsx";
import { CouponForm, type CouponValues, createBodyOf, NEW_COUPON, valuesOf } from "./coupon-form.ts";
import { couponQuery, createCoupons, refreshCoupons, updateCoupon } from "./coupons-api.ts";
import { useCreatedCoupons } from "./created-coupons-state.ts";

/** The sheet that makes codes or edits the one in the address. */
export function CouponEditor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const close = (): Promise<void> => navigate({ to: "/admin/coupons", search: true });
  const coupon = useQuery({ ...couponQuery(Number(id)), enabled: id !== undefined });
  if (id !== undefined && !coupon.data) {
    return (
      <LoadingSheet
        title={t("编辑兑换码")}
        error={coupon.error}
        onRetry={() => void coupon.refetch()}
        onClose={close}
      />
    );
  }
  return <CouponSheet key={id} coupon={coupon.data} onClose={close} />;
}

function CouponSheet({
  coupon,
  onClose,
}: {
  readonly coupon: Redemption | undefined;
  readonly onClose: () => Promise<void>;
}) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const form = useForm<CouponValues>({
    resolver: zodResolver(CouponForm),
    mode: "onTouched",
    defaultValues: coupon ? valuesOf(coupon) : NEW_COUPON,
  });
  const save = useMutation({
    mutationFn: async (values: CouponValues) => {
      const body = createBodyOf(values, formatMoney(values.quota));
      if (!coupon) {
        useCreatedCoupons.setState({ created: { name: body.name ?? "", keys: await createCoupons(body) } });
        return;
      }
      const { name, quota, valid_from, valid_until } = body;
      await updateCoupon({ id: coupon.id, name, quota, valid_from, valid_until });
      notifySuccess(t("已保存"));
    },
    onError: notifyError,
    onSettled: refreshCoupons,
  });
  return (
    <EditorSheet
      title={coupon ? t("编辑兑换码") : t("新建兑换码")}
      description={
        coupon ? t("#{{id}} {{name}}", { id: coupon.id, name: coupon.name }) : t("一次可以创建多个相同的兑换码。")
      }
      isNew={!coupon}
      isDirty={form.formState.isDirty}
      isSaving={save.isPending}
      submitLabel={coupon ? t("保存") : t("创建")}
      onClose={onClose}
      onSubmit={form.handleSubmit((values) => save.mutateAsync(values).then(onClose, () => undefined))}
    >
      <CouponFields form={form} isNew={!coupon} />
    </EditorSheet>
  );
}
