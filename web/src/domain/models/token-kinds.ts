import { text } from "../../lib/text/i18n-source.ts";

/** What the kinds of tokens are called. */
export const KIND_LABELS: Readonly<Record<string, string>> = {
  input: text("输入"),
  output: text("输出"),
  cache_read: text("缓存读取"),
  cache_write: text("缓存写入（5 分钟）"),
  cache_write_1h: text("缓存写入（1 小时）"),
  audio_input: text("音频输入"),
  audio_output: text("音频输出"),
  audio_cache_read: text("音频缓存读取"),
  image_input: text("图片输入"),
  image_output: text("图片输出"),
  image_cache_read: text("图片缓存读取"),
  video_input: text("视频输入"),
  video_output: text("视频输出"),
  reasoning: text("推理输出"),
};
