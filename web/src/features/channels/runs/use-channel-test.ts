import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { describeError } from "../../../lib/api/api-error.ts";
import { formatMilliseconds } from "../../../lib/text/format.ts";
import { notifyProblem, notifySuccess } from "../../../lib/toast.ts";
import { refreshChannels, testChannel } from "../../../domain/channels/channels-api.ts";

const SECOND_MS = 1000;

/** Tests channels and reports each result; tracks the running tests. */
export function useChannelTest() {
  const { t } = useTranslation();
  const [testing, setTesting] = useState<ReadonlySet<number>>(new Set());
  const test = async ({ id, name }: Channel): Promise<void> => {
    setTesting((now) => new Set(now).add(id));
    try {
      const seconds = await testChannel(id);
      notifySuccess(
        t("渠道“{{name}}”测试成功，用时 {{time}}", { name, time: formatMilliseconds(seconds * SECOND_MS) }),
      );
    } catch (error) {
      notifyProblem(t("渠道“{{name}}”测试失败", { name }), describeError(error, t));
    }
    setTesting((now) => new Set([...now].filter((one) => one !== id)));
    await refreshChannels();
  };
  return { testing, test };
}
