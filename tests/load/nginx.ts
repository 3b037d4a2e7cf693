import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { passingFolder } from "../../scripts/process/passing-folder.ts";

export const WHOLE_RESPONSE = JSON.stringify({
  id: "chatcmpl-load",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "gpt-4o",
  choices: [
    { index: 0, message: { role: "assistant", content: "Hello! How can I help you today?" }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
});

/** Frames of the streaming response; all streams of a load run are the same. */
export const STREAM_FRAMES: readonly string[] = [
  ...Array.from({ length: 14 }, (_, index) => {
    const delta = index === 0 ? { role: "assistant", content: "" } : { content: `word${index} ` };
    return chunk({ choices: [{ index: 0, delta, finish_reason: null }], usage: null });
  }),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: null }),
  chunk({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 14, total_tokens: 34 } }),
  "data: [DONE]\n\n",
];

const event = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** The same response as Anthropic streams it: as many text events, in its framing. */
export const ANTHROPIC_FRAMES: readonly string[] = [
  event({
    type: "message_start",
    message: {
      id: "msg_load",
      type: "message",
      role: "assistant",
      model: "claude-load",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 20, output_tokens: 1 },
    },
  }),
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  ...Array.from({ length: 13 }, (_, index) =>
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `word${index} ` } }),
  ),
  event({ type: "content_block_stop", index: 0 }),
  event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 14 } }),
  event({ type: "message_stop" }),
];

/** The same response as Gemini streams it. */
export const GEMINI_FRAMES: readonly string[] = Array.from({ length: 14 }, (_, index) => {
  const isLast = index === 13;
  const candidate = {
    index: 0,
    content: { role: "model", parts: [{ text: `word${index} ` }] },
    ...(isLast ? { finishReason: "STOP" } : {}),
  };
  const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: index + 1, totalTokenCount: index + 21 };
  const data = { candidates: [candidate], usageMetadata, modelVersion: "gemini-load" };
  return `data: ${JSON.stringify(data)}\n\n`;
});

function chunk(fields: object): string {
  return `data: ${JSON.stringify({ id: "chatcmpl-load", object: "chat.completion.chunk", created: 1_700_000_000, model: "gpt-4o", ...fields })}\n\n`;
}

function startNginx(server: string, cores: string): ChildProcess {
  const folder = passingFolder("nginx");
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon off;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 100000000; tcp_nodelay on; ${folders.join(" ")}
${server}
}
`,
  );
  const program = ["nginx", "-c", join(folder, "nginx.conf"), "-p", folder, "-e", join(folder, "error.log")];
  return spawn("taskset", ["-c", cores, ...program], { stdio: "ignore" });
}

/**
 * An upstream with immediate responses: JSON below `/whole/`, event streams below `/stream/`, `/anthropic/` and
 * `/gemini/` in the format of each. Needs nginx on PATH.
 */
export const startUpstream = (port: number, cores: string): ChildProcess =>
  startNginx(
    `server { listen 127.0.0.1:${port} backlog=4096;
  location /whole/ { default_type application/json; return 200 '${WHOLE_RESPONSE}'; }
  location /anthropic/ { default_type text/event-stream; return 200 '${ANTHROPIC_FRAMES.join("")}'; }
  location /gemini/ { default_type text/event-stream; return 200 '${GEMINI_FRAMES.join("")}'; }
  location /stream/ { default_type text/event-stream; return 200 '${STREAM_FRAMES.join("")}'; }
}`,
    cores,
  );

/** nginx as a proxy for comparison. */
export const startNginxProxy = (port: number, upstreamPort: number, cores: string): ChildProcess =>
  startNginx(
    `upstream instant { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 100000000; }
server { listen 127.0.0.1:${port} backlog=4096;
  location / { proxy_pass http://instant; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
}`,
    cores,
  );
