/** DashScope's image and speech models. */
export const ALI_MEDIA: readonly string[] = [
  "qwen-image",
  "qwen-image-plus",
  "qwen-image-max",
  "qwen-image-2.0",
  "qwen-image-2.0-pro",
  "qwen-image-edit",
  "qwen-image-edit-plus",
  "qwen-image-edit-max",
  "wan2.6-t2i",
  "wan2.5-i2i-preview",
  "wan2.5-t2i-preview",
  "wan2.2-t2i-plus",
  "wan2.2-t2i-flash",
  "z-image-turbo",
  "qwen3-tts-flash",
];

/** MiniMax's chat models and speech models. */
export const MINIMAX: readonly string[] = [
  "MiniMax-M2",
  "MiniMax-M1",
  "MiniMax-Text-01",
  "abab6.5-chat",
  "abab6.5s-chat",
  "abab6-chat",
  "abab5.5-chat",
  "speech-2.8-hd",
  "speech-2.8-turbo",
  "speech-2.6-hd",
  "speech-2.6-turbo",
  "speech-02-hd",
  "speech-02-turbo",
];

/** Workers AI's transcription and image models. */
export const CLOUDFLARE_MEDIA: readonly string[] = [
  "@cf/openai/whisper",
  "@cf/openai/whisper-large-v3-turbo",
  "@cf/black-forest-labs/flux-1-schnell",
  "@cf/black-forest-labs/flux-2-dev",
  "@cf/black-forest-labs/flux-2-klein-4b",
  "@cf/black-forest-labs/flux-2-klein-9b",
  "@cf/leonardo/lucid-origin",
  "@cf/leonardo/phoenix-1.0",
  "@cf/stabilityai/stable-diffusion-xl-base-1.0",
];

/** Actions of Midjourney Proxy Plus. */
export const MIDJOURNEY_PLUS =
  "mj_imagine,mj_describe,mj_blend,mj_upscale,mj_variation,mj_reroll,mj_upload,mj_shorten,mj_modal,mj_zoom,mj_custom_zoom,mj_inpaint,mj_pan,mj_high_variation,mj_low_variation,mj_edits,mj_video,swap_face".split(
    ",",
  );
