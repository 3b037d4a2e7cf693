import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./app/router.tsx";
import "./index.css";
import { startI18n } from "./lib/text/i18n.ts";
import { queryClient } from "./lib/api/query-client.ts";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no element with the id root");

await startI18n();
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
