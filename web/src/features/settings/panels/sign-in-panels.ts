import { text } from "../../../lib/text/i18n-source.ts";
import { address } from "../section/setting-codec.ts";
import type { SettingPanel } from "../section/setting-panel.ts";
import { hostOnly } from "./setting-checks.ts";

export const OIDC: SettingPanel = {
  id: "oidc",
  title: "OIDC",
  description: text(
    "用企业的身份系统登录。回调地址是服务器地址加 /oauth/oidc。没有填写服务器地址时，使用浏览器里的地址。",
  ),
  fields: [
    {
      key: "oidc.enabled",
      label: text("允许用 OIDC 登录和注册"),
      help: text("需要先填写下面的内容。"),
    },
    {
      key: "oidc.well_known",
      label: text("发现地址（Well-Known）"),
      help: text("填写后可以自动获取下面三个端点。"),
      placeholder: "https://id.example.com/.well-known/openid-configuration",
    },
    { key: "oidc.client_id", label: text("客户端 ID"), help: text("身份系统给出的 Client ID。") },
    { key: "oidc.client_secret", label: text("客户端密钥"), help: text("身份系统给出的 Client Secret。") },
    {
      key: "oidc.authorization_endpoint",
      label: text("授权端点"),
      help: text("用户在这里登录。"),
    },
    { key: "oidc.token_endpoint", label: text("令牌端点"), help: text("用授权码换取令牌。") },
    {
      key: "oidc.user_info_endpoint",
      label: text("用户信息端点"),
      help: text("读取用户的名称和邮箱。"),
    },
  ],
};

export const OIDC_TOKENS: SettingPanel = {
  id: "oidc-tokens",
  title: text("用 OIDC 令牌调用"),
  description: text(
    "模型接口接受这些签发方的令牌（CI、Kubernetes 服务账号、企业身份系统）代替 sk- 密钥。只有 root 能修改。",
  ),
  fields: [
    {
      key: "OidcTokenIssuers",
      label: text("受信任的签发方"),
      help: text(
        "JSON 数组。每项有 issuer、audiences 和 rules；每条规则的 claims 是条件，user 或 user_claim 指定用户，token 是该用户令牌的名称，其分组、限制和额度照常生效。",
      ),
      placeholder:
        '[{"issuer": "https://id.example.com", "audiences": ["turnpike"], "rules": [{"claims": {"sub": "ci"}, "user": "shop", "token": "ci"}]}]',
      rows: 12,
    },
  ],
};

export const GITHUB: SettingPanel = {
  id: "github",
  title: "GitHub",
  description: text(
    "用 GitHub 账号登录。回调地址是服务器地址加 /oauth/github。没有填写服务器地址时，使用浏览器里的地址。",
  ),
  fields: [
    {
      key: "GitHubOAuthEnabled",
      label: text("允许用 GitHub 登录和注册"),
      help: text("需要先填写 OAuth App 的 ID 和密钥。"),
    },
    { key: "GitHubClientId", label: text("GitHub 客户端 ID"), help: text("OAuth App 的 Client ID。") },
    { key: "GitHubClientSecret", label: text("GitHub 客户端密钥"), help: text("OAuth App 的 Client Secret。") },
  ],
};

export const LINUX_DO: SettingPanel = {
  id: "linux-do",
  title: "LINUX DO",
  description: text(
    "用 LINUX DO 账号登录。回调地址是服务器地址加 /oauth/linuxdo。没有填写服务器地址时，使用浏览器里的地址。",
  ),
  fields: [
    {
      key: "LinuxDOOAuthEnabled",
      label: text("允许用 LINUX DO 登录和注册"),
      help: text("需要先填写应用的 ID 和密钥。"),
    },
    { key: "LinuxDOClientId", label: text("LINUX DO 客户端 ID"), help: text("应用的 Client ID。") },
    { key: "LinuxDOClientSecret", label: text("LINUX DO 客户端密钥"), help: text("应用的 Client Secret。") },
    {
      key: "LinuxDOMinimumTrustLevel",
      label: text("最低信任等级"),
      help: text("等级更低的账号不能注册，0 到 4。"),
    },
  ],
};

export const WECHAT: SettingPanel = {
  id: "wechat",
  title: text("微信"),
  description: text("通过微信公众号的验证码登录，需要部署 WeChat Server。"),
  fields: [
    {
      key: "WeChatAuthEnabled",
      label: text("允许用微信登录和注册"),
      help: text("需要先填写服务器地址和访问凭证。"),
    },
    {
      key: "WeChatServerAddress",
      label: text("WeChat Server 地址"),
      help: text("只填写域名，结尾不要带 /。"),
      placeholder: "https://wechat.example.com",
      codec: address,
      check: hostOnly,
    },
    { key: "WeChatServerToken", label: text("WeChat Server 访问凭证"), help: text("和 WeChat Server 里设置的相同。") },
    {
      key: "WeChatAccountQRCodeImageURL",
      label: text("公众号二维码图片"),
      help: text("图片的地址，用户扫码后得到验证码。"),
      placeholder: "https://example.com/qr.png",
    },
  ],
};

export const TELEGRAM: SettingPanel = {
  id: "telegram",
  title: "Telegram",
  description: text("用 Telegram 账号登录。请把本站的域名告诉 BotFather。"),
  fields: [
    {
      key: "TelegramOAuthEnabled",
      label: text("允许用 Telegram 登录"),
      help: text("需要先填写机器人的名称和令牌。"),
    },
    { key: "TelegramBotName", label: text("机器人名称"), help: text("不带 @。"), placeholder: "example_bot" },
    { key: "TelegramBotToken", label: text("机器人令牌"), help: text("BotFather 给出的令牌。") },
  ],
};

export const TURNSTILE: SettingPanel = {
  id: "turnstile",
  title: "Turnstile",
  description: text("登录、注册和找回密码前先检查是不是真人。"),
  fields: [
    {
      key: "TurnstileCheckEnabled",
      label: text("启用人机验证"),
      help: text("需要先填写 Cloudflare Turnstile 的两个密钥。"),
    },
    { key: "TurnstileSiteKey", label: text("站点密钥"), help: text("Site Key，会出现在网页里。") },
    { key: "TurnstileSecretKey", label: text("Turnstile 私有密钥"), help: text("Secret Key，只在服务器上使用。") },
  ],
};
