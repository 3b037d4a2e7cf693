import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../../components/ui/dialog.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { describeError } from "../../../lib/api/api-error.ts";
import { formatMilliseconds } from "../../../lib/text/format.ts";
import { splitCommaList } from "../../../lib/text/comma-list.ts";
import { refreshChannels, testChannel } from "../../../domain/channels/channels-api.ts";

type Outcome =
  | { readonly state: "running" }
  | { readonly state: "ok"; readonly ms: number }
  | { readonly state: "failed"; readonly reason: string };
type ChannelTestDialogProps = { readonly channel: Channel; readonly onClose: () => void };

const SECOND_MS = 1000;

/** Tests models one after the other until all are done, the run is stopped, or the dialog closes. */
function useTestAll(test: (model: string) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const going = useRef(false);
  useEffect(() => () => void (going.current = false), []);
  const run = async (models: readonly string[]): Promise<void> => {
    going.current = true;
    setBusy(true);
    for (const model of models) {
      if (!going.current) break;
      // oxlint-disable-next-line no-await-in-loop -- parallel tests would flood the upstream
      await test(model);
    }
    going.current = false;
    setBusy(false);
  };
  return { busy, run: (models: readonly string[]): void => void run(models), stop: () => void (going.current = false) };
}

function OutcomeBadge({ outcome }: { readonly outcome: Outcome | undefined }) {
  if (outcome?.state === "ok") return <StatusBadge tone="good">{formatMilliseconds(outcome.ms)}</StatusBadge>;
  return null;
}

/** Tests one channel with selected models. */
export function ChannelTestDialog({ channel, onClose }: ChannelTestDialogProps) {
  const { t } = useTranslation();
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  const [filter, setFilter] = useState("");
  const models = splitCommaList(channel.models).filter((model) =>
    model.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  const note = (model: string, outcome: Outcome): void => setOutcomes((now) => ({ ...now, [model]: outcome }));
  const test = async (model: string): Promise<void> => {
    note(model, { state: "running" });
    try {
      note(model, { state: "ok", ms: (await testChannel(channel.id, model)) * SECOND_MS });
    } catch (error) {
      note(model, { state: "failed", reason: describeError(error, t) });
    }
    await refreshChannels();
  };
  const all = useTestAll(test);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogTitle>{t("测试渠道“{{name}}”", { name: channel.name })}</DialogTitle>
        <DialogDescription>{t("每次测试会向上游发送一次很短的请求。")}</DialogDescription>
        <div className="flex gap-1.5">
          <Input
            value={filter}
            placeholder={t("筛选模型")}
            aria-label={t("筛选模型")}
            onChange={(event) => setFilter(event.target.value)}
          />
          {all.busy ? (
            <Button variant="outline" onClick={all.stop}>
              {t("停止")}
            </Button>
          ) : (
            <Button variant="outline" disabled={models.length === 0} onClick={() => all.run(models)}>
              {t("逐个测试")}
            </Button>
          )}
        </div>
        <ul className="flex max-h-96 flex-col overflow-y-auto">
          {models.map((model) => {
            const outcome = outcomes[model];
            return (
              <li key={model} className="flex flex-wrap items-center gap-2 border-b py-1.5 last:border-b-0">
                <span className="min-w-0 flex-1 font-mono text-[13px]">{model}</span>
                <OutcomeBadge outcome={outcome} />
                <BusyButton
                  variant="outline"
                  size="sm"
                  className="h-7"
                  busy={outcome?.state === "running"}
                  aria-label={t("测试 {{name}}", { name: model })}
                  onClick={() => void test(model)}
                >
                  {t("测试")}
                </BusyButton>
                {outcome?.state === "failed" && (
                  <p role="alert" className="w-full text-[13px] text-destructive">
                    {outcome.reason}
                  </p>
                )}
              </li>
            );
          })}
          {models.length === 0 && <li className="py-6 text-center text-muted-foreground">{t("没有找到。")}</li>}
        </ul>
      </DialogContent>
    </Dialog>
  );
}
