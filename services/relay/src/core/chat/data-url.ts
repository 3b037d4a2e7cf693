const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/i;

/** Media type and base64 data of a `data:` URL; undefined for other URLs and for data that is not base64. */
export function parseDataUrl(url: string): { mediaType: string; data: string } | undefined {
  const match = DATA_URL.exec(url);
  if (!match?.[2]?.toLowerCase().split(";").includes("base64")) return undefined;
  return { mediaType: match[1] || "application/octet-stream", data: url.slice(match[0].length) };
}

/** Builds a `data:` URL from a media type and base64 data. */
export const toDataUrl = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`;
