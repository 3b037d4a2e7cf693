import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const gateway = "http://localhost:3000";

// Many small files compress worse and cost a request each: what every page needs is one file of libraries and one of our own.
const LIBRARIES =
  /node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|zustand|clsx|tailwind-merge|class-variance-authority|use-sync-external-store|@radix-ui\/react-slot|@radix-ui\/react-primitive|@radix-ui\/react-compose-refs|@tanstack\/(?:react-router|router-core|history|react-store|store|react-query|query-core))\//;
const OWN =
  /web\/src\/(?:main|app\/(?:router|routes\/[a-z-]+|root|error-page|page-pending|shell\/(?:connection-bar|console-home))|lib\/(?:api\/(?:api-client|api-error|connection|exact-json|parse-json|query-client)|session\/(?:account|password-warning|session)|text\/(?:comma-list|format|i18n|i18n-source|search)|status|storage|theme|toast|utils)|hooks\/(?:use-media|use-now|use-once)|components\/(?:busy-button|confirm|copy-button|copy-text|logo|page-header|preference-buttons|states|status-badge|ui\/(?:badge|button|input|skeleton|spinner)))\.tsx?$|contract\/src\/(?:codes|limits)|lucide-react\/dist\/esm\/(?:createLucideIcon|Icon|shared|context|defaultAttributes|icons\/(?:languages|monitor|moon|sun)\.)/;

// The frame around most pages.
const SHELL =
  /web\/src\/(?:app\/shell\/(?:app-shell|header|inbox-bell|mobile-menu|navigation|palette-state|sidebar|site-links|use-shortcuts|use-sidebar|user-menu)|features\/(?:content\/(?:notice-button|notice-schedule|site-footer|use-notice)|inbox\/inbox-api|tokens\/chat\/chat-links)|components\/(?:hint|lazy-overlay|money|time|ui\/tooltip))\.tsx?$|contract\/src\/api\/message|lucide-react\/dist\/esm\/icons\/(?:activity|bell|book-open-text|braces|chart-column|chevron-right|circle-user-round|download|git-branch|images|inbox|key-round|list-music|mail|megaphone|menu|message-circle|message-square-text|panel-left|pencil|plus|receipt|rotate-ccw-clock|scroll-text|search|settings|sliders-horizontal|tag|ticket-check|trash|user-round|users|wallet|waypoints|x)\./;
// Fields of short forms.
const FORM =
  /web\/src\/(?:components\/(?:form\/(?:field-frame|small-fields)|notice|ui\/label)|hooks\/use-small-form|lib\/refused-field)\.tsx?$/;
// What the shell needs for its tooltips.
const OVERLAYS =
  /node_modules\/(?:@floating-ui\/[a-z-]+|@radix-ui\/(?:primitive|react-(?:popper|tooltip|dismissable-layer|portal|presence|arrow|visually-hidden|id|context|direction|use-[a-z-]+)))\//;
// Lists, and most forms, have a select; lists have a table.
const SELECT =
  /node_modules\/(?:react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|aria-hidden|@radix-ui\/(?:number|react-(?:select|collection|focus-scope|focus-guards)))\/|web\/src\/components\/(?:option-select|ui\/select)\.tsx$|lucide-react\/dist\/esm\/icons\/(?:chevron-down|chevron-up)\./;
const TABLE =
  /node_modules\/(?:@tanstack\/(?:table-core|react-table)|@radix-ui\/react-checkbox)\/|web\/src\/(?:components\/(?:data-table\/(?:action-menu|browser-table|card-list|column-button|column-header|data-table|day-filters|export-button|pagination|preferences|read-all-rows|row-actions|search-input|server-table|table-features|table-line|table-view|use-table-instance|views-button)|list-page|ui\/(?:checkbox|table))|lib\/(?:csv|download)|hooks\/use-is-printing)\.tsx?$|lucide-react\/dist\/esm\/icons\/(?:arrow-down|arrow-up|arrow-up-down|bookmark|chevron-left|columns-3|ellipsis|minus)\./;

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
            { name: "libraries", test: LIBRARIES, priority: 5 },
            { name: "shell", test: SHELL, priority: 3 },
            { name: "form", test: FORM, priority: 3 },
            { name: "overlays", test: OVERLAYS, priority: 3 },
            { name: "select", test: SELECT, priority: 2 },
            { name: "table", test: TABLE, priority: 1 },
            { name: "charts", test: CHARTS, priority: 0 },
            { name: "console", test: OWN, priority: 4 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { "/api": gateway, "/v1": gateway } },
});
