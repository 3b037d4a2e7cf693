import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = "http://localhost:3000";

// Many small files compress worse and cost a request each: what every page needs is one file of libraries and one of our own.
const LIBRARIES =
  /node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|zustand|clsx|tailwind-merge|class-variance-authority|use-sync-external-store|@radix-ui\/react-slot|@radix-ui\/react-compose-refs|@tanstack\/(?:react-router|router-core|history|react-store|store|react-query|query-core))\//;
const OWN =
  /web\/src\/(?:main|app\/(?:router|routes\/[a-z-]+|root|error-page|page-pending|shell\/(?:connection-bar|console-home))|lib\/(?:account|api-schemas|api-client|api-error|check|connection|exact-json|format|i18n|i18n-source|comma-list|parse-json|password-warning|query-client|search|session|status|storage|theme|toast|utils)|hooks\/(?:use-media|use-now|use-once)|components\/(?:busy-button|confirm|copy-button|copy-text|page-header|states|status-badge|ui\/(?:badge|button|input|skeleton|spinner)))\.tsx?$|contract\/src\/(?:errors|limits)|lucide-react\/dist\/esm\/(?:createLucideIcon|Icon|shared|context|defaultAttributes)/;

// Loaded after the first paint of a page with a chart.
const CHARTS =
  /node_modules\/(?:recharts|victory-vendor|d3-[a-z]+|internmap|decimal\.js-light|eventemitter3|es-toolkit|immer|reselect|redux|redux-thunk|react-redux|@reduxjs\/toolkit|tiny-invariant)\//;

export default defineConfig({
  resolve: { alias: { "@": `${import.meta.dirname}/src` } },
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // The libraries: 130 kB gzip, React DOM the most of it.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "libraries", test: LIBRARIES, priority: 2 },
            { name: "charts", test: CHARTS, priority: 0 },
            { name: "console", test: OWN, priority: 1 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { "/api": gateway, "/v1": gateway } },
});
