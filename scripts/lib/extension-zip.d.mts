export function zipExtension(): Uint8Array;
