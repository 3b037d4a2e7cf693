import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names; of two Tailwind classes that set the same thing the later one counts. */
export const cn = (...inputs: ClassValue[]): string => twMerge(clsx(inputs));
