/** Prefixes of the public model API, drawing modes included (`/mj-fast/mj/…`, `/fast/mj/…`). */
const MODEL_API =
  /^\/(?:v1|v1beta|v2\/rerank|upload\/v1beta|pg|hf|mj|suno|(?:mj-)?(?:fast|relax|turbo)\/mj|dashboard\/billing)(?:[/?]|$)/;
const PLAYGROUND = /^\/pg(?:[/?]|$)/;

/** Whether a path belongs to the relay. */
export const isModelApi = (url: string): boolean => MODEL_API.test(url);

/** Whether a path is the playground's: the one part of the model API that a browser's session pays for. */
export const isPlayground = (url: string): boolean => PLAYGROUND.test(url);
