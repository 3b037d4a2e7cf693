import { zodResolver } from "@hookform/resolvers/zod";
import type { UserProfile } from "@turnpike/contract/api/user";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { EditorSheet } from "../../components/form/editor-sheet.tsx";
import { showFormError } from "../../components/form/field-errors.ts";
import { LoadingSheet } from "../../components/form/loading-sheet.tsx";
import { notifySuccess } from "../../lib/toast.ts";
import { BoundAccounts, UserBalance, UserFields } from "./user-fields.tsx";
import {
  toCreateBody,
  NEW_USER,
  NewUserForm,
  toUpdateBody,
  UserForm,
  type UserValues,
  toFormValues,
} from "./user-form.ts";
import { createUser, refreshUsers, updateUser, userQuery } from "../../domain/users/users-api.ts";

const QuotaDialog = lazy(async () => ({ default: (await import("./quota-dialog.tsx")).QuotaDialog }));

/** The sheet that creates a user or edits the one in the address. */
export function UserEditor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const close = (): Promise<void> => navigate({ to: "/admin/users", search: true });
  const user = useQuery({ ...userQuery(Number(id)), enabled: id !== undefined });
  if (id !== undefined && !user.data) {
    return (
      <LoadingSheet title={t("编辑用户")} error={user.error} onRetry={() => void user.refetch()} onClose={close} />
    );
  }
  return <UserSheet key={id} user={user.data} onClose={close} />;
}

function UserSheet({
  user,
  onClose,
}: {
  readonly user: UserProfile | undefined;
  readonly onClose: () => Promise<void>;
}) {
  const { t } = useTranslation();
  const form = useForm<UserValues>({
    resolver: zodResolver(user ? UserForm : NewUserForm),
    mode: "onTouched",
    defaultValues: user ? toFormValues(user) : NEW_USER,
  });
  const [adding, setAdding] = useState(false);
  const save = useMutation({
    mutationFn: (values: UserValues) =>
      user ? updateUser(toUpdateBody(user, values)) : createUser(toCreateBody(values)),
    onSuccess: () => {
      form.reset(form.getValues());
      notifySuccess(user ? t("已保存") : t("用户已创建"));
    },
    onError: (error) => showFormError(form, error, { username_taken: "username" }),
    onSettled: refreshUsers,
  });
  return (
    <>
      <EditorSheet
        title={user ? t("编辑用户") : t("新建用户")}
        description={user ? `#${user.id} ${user.username}` : t("用户首次登录后应修改密码。")}
        isNew={!user}
        isDirty={form.formState.isDirty}
        isSaving={save.isPending}
        submitLabel={user ? t("保存") : t("创建")}
        onClose={onClose}
        onSubmit={form.handleSubmit((values) => save.mutateAsync(values).then(onClose, () => undefined))}
      >
        <UserFields form={form} user={user} />
        {user && <UserBalance user={user} onAdd={() => setAdding(true)} />}
        {user && <BoundAccounts user={user} />}
      </EditorSheet>
      <Suspense>{user && adding && <QuotaDialog user={user} onClose={() => setAdding(false)} />}</Suspense>
    </>
  );
}
