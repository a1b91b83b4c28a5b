export const INTERNAL_NAMES: readonly string[];
