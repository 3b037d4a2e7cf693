import { text } from "../../lib/text/i18n-source.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  IMAGINE: text("绘图"),
  UPSCALE: text("放大"),
  VARIATION: text("变换"),
  HIGH_VARIATION: text("强变换"),
  LOW_VARIATION: text("弱变换"),
  PAN: text("平移"),
  DESCRIBE: text("图生文"),
  BLEND: text("图混合"),
  UPLOAD: text("上传图片"),
  SHORTEN: text("缩词"),
  REROLL: text("重绘"),
  INPAINT: text("局部重绘（提交）"),
  ZOOM: text("缩放"),
  CUSTOM_ZOOM: text("自定义缩放（提交）"),
  MODAL: text("窗口处理"),
  SWAP_FACE: text("换脸"),
  EDITS: text("编辑图片"),
  VIDEO: text("图生视频"),
  MUSIC: text("生成音乐"),
  LYRICS: text("生成歌词"),
};

/** The source sentence of an action; an unknown one is shown by its name. */
export const actionLabel = (action: string): string =>
  Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? action) : action;
