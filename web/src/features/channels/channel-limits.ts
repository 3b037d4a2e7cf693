export const PRIORITY_MIN = -999;
export const WEIGHT_MIN = 0;
