import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = "http://localhost:3000";

// What every page needs, in one file: many small files compress worse and cost a request each.
const BASE =
  /node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|zustand|clsx|tailwind-merge|class-variance-authority|use-sync-external-store|@radix-ui\/react-slot|@radix-ui\/react-compose-refs|@tanstack\/(?:react-router|router-core|history|react-store|store|react-query|query-core))\//;
export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // The base chunk: 130 kB gzip, React DOM the most of it.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "base", test: BASE }],
        },
      },
    },
  },
  server: { port: 5173, proxy: { "/api": gateway, "/v1": gateway } },
});
