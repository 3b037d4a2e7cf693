import { tour } from "./tour.ts";

tour({ language: "zh", width: 1440 });
