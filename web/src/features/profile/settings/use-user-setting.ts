import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { selfQuery } from "../../../lib/session/account.ts";
import { api } from "../../../lib/api/api-client.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { refreshSelf } from "../profile-api.ts";
import { readSetting, settingBody, type UserSetting } from "./user-setting.ts";

type Change = { readonly setting: UserSetting; readonly webhookSecret?: string };

/** The user's stored settings, and a function that changes them; its caller shows the errors. */
export function useUserSetting() {
  const { t } = useTranslation();
  const self = useQuery(selfQuery);
  const save = useMutation({
    mutationFn: ({ setting, webhookSecret }: Change) =>
      api.put("/api/user/setting", { body: settingBody(setting, webhookSecret) }),
    onSuccess: () => notifySuccess(t("已保存")),
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
