import { text } from "../../../lib/text/i18n-source.ts";
import { unchangedText } from "../section/setting-codec.ts";
import type { SettingPanel } from "../section/setting-panel.ts";

export const NOTICE: SettingPanel = {
  id: "notice",
  title: text("公告"),
  description: text("打开本站时弹出，同样的内容每人每天最多一次；之后可以从顶部再次打开。"),
  fields: [
    {
      key: "Notice",
      label: text("公告内容"),
      help: text("支持 Markdown 或 HTML。留空表示没有公告。"),
      as: "content",
      rows: 6,
      codec: unchangedText,
    },
  ],
};

export const PERSONALIZATION: SettingPanel = {
  id: "personalization",
  title: text("个性化"),
  description: text("站点的名称、标志和页面内容。"),
  fields: [
    { key: "SystemName", label: text("系统名称"), help: text("显示在页面左上角和浏览器标签上。") },
    {
      key: "Logo",
      label: text("标志图片地址"),
      help: text("正方形的图片，以 https:// 开头。留空使用默认的标志。"),
      placeholder: "https://example.com/logo.png",
    },
    {
      key: "HomePageContent",
      label: text("首页内容"),
      help: text("支持 Markdown 或 HTML；填写一个 https:// 地址则嵌入那个网页。留空使用默认首页。"),
      as: "content",
      rows: 8,
      codec: unchangedText,
    },
    {
      key: "About",
      label: text("关于页面"),
      help: text("支持 Markdown 或 HTML；填写一个 https:// 地址则嵌入那个网页。"),
      as: "content",
      rows: 8,
      codec: unchangedText,
    },
    {
      key: "Footer",
      label: text("页脚"),
      help: text("支持 Markdown 或 HTML，显示在每个页面的底部。"),
      as: "content",
      rows: 3,
      codec: unchangedText,
    },
  ],
};

export const CUSTOM_CODE: SettingPanel = {
  id: "custom-code",
  title: text("自定义代码"),
  description: text("加到每个页面里，只有超级管理员可以修改。页面坏了时，在地址后加上 ?no_custom=1 打开。"),
  fields: [
    {
      key: "custom_head_html",
      label: text("自定义 head"),
      help: text("放进 head 的 HTML，例如统计代码。刷新页面后生效。"),
      as: "code",
      rows: 6,
      codec: unchangedText,
      placeholder: '<meta name="description" content="…">',
    },
    {
      key: "global_css",
      label: text("全局 CSS"),
      help: text("加载到每个页面。刷新页面后生效。"),
      as: "code",
      rows: 6,
      codec: unchangedText,
      placeholder: ":root { --primary: #2563eb; }",
    },
    {
      key: "global_js",
      label: text("全局 JavaScript"),
      help: text("在每个页面运行，能做到登录用户能做的一切。只放您信任的代码。"),
      as: "code",
      rows: 6,
      codec: unchangedText,
    },
  ],
};

export const VERSION: SettingPanel = {
  id: "version",
  title: text("版本"),
  description: text("正在运行的版本，以及有没有更新的。"),
  fields: [
    {
      key: "UpdateCheckAddress",
      label: text("更新地址"),
      help: text("代码托管站点的“最新发布”接口，返回 tag_name 和 html_url。留空表示不检查。"),
      placeholder: "https://api.example.com/repos/owner/name/releases/latest",
    },
  ],
};
