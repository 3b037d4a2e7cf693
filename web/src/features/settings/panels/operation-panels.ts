import { text } from "../../../lib/text/i18n-source.ts";
import { address, lineList } from "../section/setting-codec.ts";
import type { SettingPanel } from "../section/setting-panel.ts";
import { PRICE_VISIBILITY } from "./operation-price-fields.ts";

export const GENERAL: SettingPanel = {
  id: "general",
  title: text("常规"),
  description: text("链接、重试、额度的显示方式和站点的使用模式。"),
  fields: [
    {
      key: "TopUpLink",
      label: text("充值链接"),
      help: text("用户购买兑换码的地址，显示在钱包里。"),
      placeholder: "https://example.com/codes",
    },
    {
      key: "general_setting.docs_link",
      label: text("文档链接"),
      help: text("填写后显示在顶部导航里。"),
      placeholder: "https://docs.example.com",
    },
    {
      key: "QuotaPerUnit",
      label: text("每美元额度"),
      help: text("1 美元等于多少额度。已有余额不会换算，开始使用后请勿修改。"),
    },
    {
      key: "RetryTimes",
      label: text("失败重试次数"),
      help: text("换一个渠道再试的次数，0 到 10。只在还没有向客户端发送任何内容时重试。"),
    },
    {
      key: "DisplayInCurrencyEnabled",
      label: text("以货币显示额度"),
      help: text("打开时显示美元，关闭时显示额度的原始数值。"),
    },
    {
      key: "DisplayTokenStatEnabled",
      label: text("账单接口显示令牌额度"),
      help: text("打开时客户端查询余额得到的是令牌的额度，关闭时是用户的额度。"),
    },
    ...PRICE_VISIBILITY,
    {
      key: "TokenKeysHidden",
      label: text("只在创建时显示令牌密钥"),
      help: text("打开后，令牌列表不再返回完整的密钥。"),
    },
    {
      key: "DefaultLanguage",
      label: text("默认语言"),
      help: text("没有选择过语言的访客看到的语言，也用于没有注明语言的 API 调用的提示。用户自己的选择优先。"),
      choices: { auto: text("跟随浏览器"), zh: text("中文"), en: text("英文") },
    },
    {
      key: "DefaultCollapseSidebar",
      label: text("默认收起侧边栏"),
      help: text("用户自己的选择优先。"),
    },
    {
      key: "DemoSiteEnabled",
      label: text("演示站点模式"),
      help: text("在顶部显示演示站点的标记。"),
    },
    {
      key: "SelfUseModeEnabled",
      label: text("自用模式"),
      help: text("不显示注册入口；没有价格的模型也可以调用。"),
    },
  ],
};

export const IMAGE_GENERATION: SettingPanel = {
  id: "drawing",
  title: text("绘图与任务"),
  description: text("Midjourney 绘图和音乐任务的入口与规则。"),
  fields: [
    { key: "DrawingEnabled", label: text("启用绘图功能"), help: text("在侧边栏显示绘图日志。") },
    { key: "TaskEnabled", label: text("启用任务功能"), help: text("在侧边栏显示任务日志。") },
    {
      key: "MjNotifyEnabled",
      label: text("允许回调"),
      help: text("把客户端的回调地址交给上游，会暴露服务器的 IP 地址。"),
    },
    {
      key: "MjAccountFilterEnabled",
      label: text("允许 AccountFilter 参数"),
      help: text("客户端可以指定上游用哪类账号。"),
    },
    {
      key: "MjForwardUrlEnabled",
      label: text("图片地址替换为本站地址"),
      help: text("图片经本站转发，不暴露上游的地址。"),
    },
    {
      key: "MjModeClearEnabled",
      label: text("清除提示词中的模式参数"),
      help: text("去掉 --fast、--relax 和 --turbo。"),
    },
    {
      key: "MjActionCheckSuccessEnabled",
      label: text("绘图成功后才能继续操作"),
      help: text("放大、变换等操作要等原图完成。"),
    },
  ],
};

export const SENSITIVE_WORDS: SettingPanel = {
  id: "sensitive-words",
  title: text("屏蔽词"),
  description: text("含有屏蔽词的请求会被拒绝，不计费。"),
  fields: [
    { key: "CheckSensitiveEnabled", label: text("启用屏蔽词过滤"), help: text("下面的检查都要打开它才生效。") },
    {
      key: "CheckSensitiveOnPromptEnabled",
      label: text("检查提示词"),
      help: text("在发往上游之前检查。"),
      only: "CheckSensitiveEnabled",
    },
    {
      key: "CheckSensitiveOnCompletionEnabled",
      label: text("检查回答"),
      help: text("在发给客户端之前检查。"),
      only: "CheckSensitiveEnabled",
    },
    {
      key: "StopOnSensitiveEnabled",
      label: text("回答中出现屏蔽词时停止"),
      help: text("以内容过滤为由结束回答。"),
      only: "CheckSensitiveOnCompletionEnabled",
    },
    {
      key: "SensitiveWords",
      label: text("屏蔽词列表"),
      help: text("一行一个；以 regex: 开头的行是正则表达式。"),
      as: "area",
      rows: 6,
      codec: lineList,
    },
  ],
};

export const DATA_DASHBOARD: SettingPanel = {
  id: "data-dashboard",
  title: text("数据看板"),
  description: text("消耗的统计和图表。"),
  fields: [
    {
      key: "DataExportEnabled",
      label: text("启用数据看板"),
      help: text("关闭后侧边栏不显示数据看板，登录后先看到令牌。"),
    },
    {
      key: "DataExportDefaultTime",
      label: text("默认时间粒度"),
      help: text("打开看板时每根柱子代表多久。"),
      choices: { hour: text("小时"), day: text("天"), week: text("周") },
    },
  ],
};

export const MONITORING: SettingPanel = {
  id: "monitoring",
  title: text("渠道监控"),
  description: text("渠道什么时候自动停用和恢复。"),
  fields: [
    {
      key: "AutomaticDisableChannelEnabled",
      label: text("失败时自动停用渠道"),
      help: text(
        "密钥失效、额度用尽、短时间内多次出错或测试太慢时停用，单次出错不会停用。关闭后，系统不会停用任何渠道。",
      ),
    },
    {
      key: "AutomaticEnableChannelEnabled",
      label: text("恢复后自动启用渠道"),
      help: text("定期测试被自动停用的渠道，测试成功就重新启用。"),
    },
    {
      key: "ChannelDisableThreshold",
      label: text("最长响应时间（秒）"),
      help: text("测试所有渠道时，响应超过它的渠道会被停用（需要打开自动停用）；0 表示不限。"),
    },
    {
      key: "AutomaticDisableKeywords",
      label: text("自动停用关键词"),
      help: text("一行一个，不分大小写。上游的错误里出现任何一个，就停用那个渠道。"),
      as: "area",
      rows: 7,
      codec: lineList,
    },
  ],
};

export const PRESET_SOURCE: SettingPanel = {
  id: "preset-source",
  title: text("预设倍率来源"),
  description: text("从哪里获取现成的倍率表，在“模型价格”里使用。"),
  fields: [
    {
      key: "PresetRatioAddress",
      label: text("预设倍率地址"),
      help: text("放着倍率文件的网址，结尾不要带 /。"),
      placeholder: "https://example.com/model-ratios",
      codec: address,
    },
  ],
};
