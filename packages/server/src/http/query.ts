export { wholeNumber } from "@debug-bridge/protocol";
