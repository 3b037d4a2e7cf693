import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = "http://localhost:3000";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: { target: "es2022", sourcemap: false, assetsInlineLimit: 0 },
  server: { port: 5173, proxy: { "/api": gateway, "/v1": gateway } },
});
