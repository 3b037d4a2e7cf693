import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { selfQuery } from "../../lib/account.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything } from "../../lib/check.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { refreshSelf } from "./profile-api.ts";
import { readSetting, settingBody, type UserSetting } from "./user-setting.ts";

type Change = { readonly setting: UserSetting; readonly webhookSecret?: string };

/** The user's settings as they are stored, and the way to change them. */
export function useUserSetting() {
  const { t } = useTranslation();
  const self = useQuery(selfQuery);
  const save = useMutation({
    mutationFn: ({ setting, webhookSecret }: Change) =>
      api.put("/api/user/setting", { body: settingBody(setting, webhookSecret), fits: isAnything }),
    onSuccess: () => notifySuccess(t("已保存")),
    onError: notifyError,
    onSettled: refreshSelf,
  });
  return {
    stored: self.data && readSetting(self.data.setting),
    email: self.data?.email ?? "",
    error: self.error,
    retry: (): void => void self.refetch(),
    save,
  };
}
