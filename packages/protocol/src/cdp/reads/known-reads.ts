export const KNOWN_READS = "";
