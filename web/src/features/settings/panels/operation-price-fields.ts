import { text } from "../../../lib/text/i18n-source.ts";
import type { SettingField } from "../section/setting-panel.ts";

/** Who may read the prices of the site, and the status of its models. */
export const PRICE_VISIBILITY: readonly SettingField[] = [
  {
    key: "PublicPricingEnabled",
    label: text("价格页对访客开放"),
    help: text("关闭后，登录才能看到模型价格。"),
  },
  {
    key: "PublicStatusEnabled",
    label: text("模型状态对访客开放"),
    help: text("打开后，访客不登录也能看到 default 分组的模型是否可用，以及最近的错误率和耗时。"),
  },
  {
    key: "ExposeRatioEnabled",
    label: text("公开倍率配置接口"),
    help: text("打开后，任何人都能从 /api/ratio_config 读取所有模型的倍率和价格规则，供其他站点同步。"),
  },
];
