import { tour } from "./tour.ts";

tour({ language: "en", width: 375 });
