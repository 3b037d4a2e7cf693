import type { Channel } from "@turnpike/contract/api/channel";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { refreshChannels, testChannel } from "./channels-api.ts";

const SECOND_MS = 1000;

/** Tests channels and says how each went; knows which tests are under way. */
export function useChannelTest() {
  const { t } = useTranslation();
  const [testing, setTesting] = useState<ReadonlySet<number>>(new Set());
  const test = async (channel: Channel): Promise<void> => {
    setTesting((now) => new Set(now).add(channel.id));
    try {
      const seconds = await testChannel(channel.id);
      notifySuccess(
        t("渠道“{{name}}”测试成功，用时 {{ms}} 毫秒", { name: channel.name, ms: Math.round(seconds * SECOND_MS) }),
      );
    } catch (error) {
      notifyError(error);
    }
    setTesting((now) => new Set([...now].filter((id) => id !== channel.id)));
    await refreshChannels();
  };
  return { testing, test };
}
