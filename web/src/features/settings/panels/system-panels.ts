import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import { text } from "../../../lib/text/i18n-source.ts";
import { address, commaList } from "../section/setting-codec.ts";
import type { SettingPanel } from "../section/setting-panel.ts";
import { isMailRequired, payAddress } from "./setting-checks.ts";

const CURRENCIES = OPTIONS.StripeCurrency.choices ?? [];

export const ADDRESS: SettingPanel = {
  id: "address",
  title: text("站点地址"),
  description: text("用户从哪里访问本站。登录回调、邮件里的链接和支付回调都用它。"),
  fields: [
    {
      key: "ServerAddress",
      label: text("服务器地址"),
      help: text("协议和域名，不带路径。留空时不发送重置密码的邮件，接入示例和登录回调使用浏览器里的地址。"),
      placeholder: "https://example.com",
      codec: address,
    },
  ],
};

export const REVERSE_PROXY: SettingPanel = {
  id: "reverse-proxy",
  title: text("反向代理"),
  description: text("本站在反向代理后面时，从它的请求头读取访客的真实地址，对控制台和模型接口自己的端口都有效。"),
  fields: [
    {
      key: "ReverseProxyEnabled",
      label: text("在反向代理后面"),
      help: text("只相信本机、内网或 Cloudflare 公布的地址发来的请求头。"),
    },
    {
      key: "ReverseProxyProvider",
      label: text("代理类型"),
      help: text("nginx 读 X-Real-IP，Cloudflare 读 CF-Connecting-IP。"),
      choices: { nginx: "nginx", cloudflare: "Cloudflare" },
      only: "ReverseProxyEnabled",
    },
  ],
};

export const WORKER: SettingPanel = {
  id: "worker",
  title: text("Worker 代理"),
  description: text("通过它下载图片和发送通知，不暴露服务器的地址。"),
  fields: [
    {
      key: "WorkerUrl",
      label: text("Worker 地址"),
      help: text("留空表示不使用。"),
      placeholder: "https://worker.example.com",
      codec: address,
    },
    { key: "WorkerValidKey", label: text("Worker 密钥"), help: text("和 Worker 里设置的密钥相同。") },
  ],
};

export const PAYMENT: SettingPanel = {
  id: "payment",
  title: text("支付"),
  description: text("易支付网关、价格和充值的规则。请先填写服务器地址。"),
  fields: [
    {
      key: "PayAddress",
      label: text("支付地址"),
      help: text("易支付网关的地址。三项都填写后，用户才能在线充值。"),
      placeholder: "https://pay.example.com",
      codec: address,
      check: payAddress,
    },
    { key: "EpayId", label: text("商户 ID"), help: text("易支付的商户编号。") },
    { key: "EpayKey", label: text("商户密钥"), help: text("用来签名和核对支付结果。") },
    {
      key: "CustomCallbackAddress",
      label: text("回调地址"),
      help: text("支付结果通知到这里。留空使用服务器地址。"),
      placeholder: "https://example.com",
      codec: address,
    },
    { key: "Price", label: text("充值价格"), help: text("充值 1 美元的额度收多少钱。") },
    { key: "MinTopUp", label: text("最低充值"), help: text("单位是美元。") },
    {
      key: "TopupGroupRatio",
      label: text("分组充值倍率"),
      help: text("每个分组的充值价格乘以多少。"),
      rows: 6,
      placeholder: '{"default": 1, "vip": 0.9}',
    },
  ],
};

export const STRIPE: SettingPanel = {
  id: "stripe",
  title: "Stripe",
  description: text("用银行卡充值。请在 Stripe 后台添加 Webhook，地址是服务器地址加 /api/stripe/webhook。"),
  fields: [
    { key: "StripeApiSecret", label: text("Stripe 密钥"), help: text("以 sk_ 或 rk_ 开头。") },
    {
      key: "StripeWebhookSecret",
      label: text("Webhook 签名密钥"),
      help: text("以 whsec_ 开头，没有它就不接受付款通知。"),
    },
    {
      key: "StripePriceId",
      label: text("价格 ID"),
      help: text("以 price_ 开头。留空时按下面的单价和货币收费。"),
      placeholder: "price_…",
    },
    { key: "StripeUnitPrice", label: text("Stripe 单价"), help: text("充值 1 美元的额度收多少钱。") },
    {
      key: "StripeCurrency",
      label: text("货币"),
      help: text("单价的货币。"),
      choices: Object.fromEntries(CURRENCIES.map((code) => [code, code.toUpperCase()])),
    },
    { key: "StripeMinTopUp", label: text("Stripe 最低充值"), help: text("单位是美元。") },
    { key: "StripePromotionCodesEnabled", label: text("允许优惠码"), help: text("付款时可以填写 Stripe 的优惠码。") },
  ],
};

export const SIGN_IN: SettingPanel = {
  id: "sign-in",
  title: text("登录与注册"),
  description: text("谁可以登录，谁可以注册。"),
  fields: [
    {
      key: "PasswordLoginEnabled",
      label: text("允许密码登录"),
      help: text("关闭后只能用第三方账号或通行密钥登录。"),
      confirmOff: {
        title: text("关闭密码登录？"),
        description: text("没有绑定第三方账号或通行密钥的用户，包括管理员，将无法登录。请先确认自己能用其他方式登录。"),
        action: text("关闭密码登录"),
      },
    },
    {
      key: "PasswordRegisterEnabled",
      label: text("允许用密码注册"),
      help: text("关闭后只能用第三方账号注册。"),
    },
    { key: "RegisterEnabled", label: text("允许新用户注册"), help: text("关闭后只有管理员可以添加用户。") },
    {
      key: "EmailVerificationEnabled",
      label: text("注册时验证邮箱"),
      help: text("向邮箱发送验证码，需要先设置好 SMTP。"),
      check: isMailRequired,
    },
    {
      key: "LoginFailureLimit",
      label: text("登录失败次数上限"),
      help: text("同一个账号在时间窗口内失败这么多次后暂停登录；0 表示不限。"),
    },
    { key: "LoginFailureWindowMinutes", label: text("失败计数的时间窗口（分钟）"), help: text("至少 1 分钟。") },
    {
      key: "SecretOptionsRootOnly",
      label: text("敏感设置只给超级管理员"),
      help: text("密钥、登录、支付和邮件的设置对普通管理员隐藏。"),
    },
  ],
};

export const EMAIL_DOMAINS: SettingPanel = {
  id: "email-domains",
  title: text("邮箱限制"),
  description: text("注册和绑定时可以用哪些邮箱。"),
  fields: [
    {
      key: "EmailDomainRestrictionEnabled",
      label: text("只允许名单里的域名"),
      help: text(
        "其他域名的邮箱不能注册。对验证邮箱的密码注册、OIDC 和 GitHub 有效：没有已验证的邮箱也不能注册。LINUX DO 和微信不提供邮箱，不受限制。",
      ),
    },
    {
      key: "EmailAliasRestrictionEnabled",
      label: text("禁止邮箱别名"),
      help: text("拒绝名称里带 + 或 . 的邮箱，例如 a+b@gmail.com。"),
    },
    {
      key: "EmailDomainWhitelist",
      label: text("域名白名单"),
      help: text("一行一个，例如 gmail.com。"),
      as: "area",
      rows: 6,
      codec: commaList,
    },
  ],
};

export const SMTP: SettingPanel = {
  id: "smtp",
  title: "SMTP",
  description: text("从哪里发送邮件。重置密码的邮件里有回到本站的链接，需要先填写服务器地址。"),
  fields: [
    {
      key: "SMTPServer",
      label: text("SMTP 服务器"),
      help: text("主机名，不带协议。"),
      placeholder: "smtp.example.com",
    },
    { key: "SMTPPort", label: text("SMTP 端口"), help: text("通常是 587，SSL 用 465。") },
    { key: "SMTPAccount", label: text("SMTP 账户"), help: text("通常是邮箱地址。") },
    {
      key: "SMTPFrom",
      label: text("发件人"),
      help: text("收件人看到的邮箱地址。留空使用账户。"),
      placeholder: "noreply@example.com",
    },
    { key: "SMTPToken", label: text("SMTP 密码"), help: text("密码或授权码。") },
    {
      key: "SMTPSSLEnabled",
      label: text("从连接开始就加密（SSL）"),
      help: text("465 端口需要打开；587 端口会自动升级为加密。"),
    },
  ],
};
