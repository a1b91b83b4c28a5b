/** Recordings, replayed and shrunk. */
export { type RecordedEvent, readRecording } from "./recording/read-recording.js";
export type { Failure, Recording, Step } from "./recording/types.js";
export { type ReproduceOptions, type Reproduction, reproduce } from "./reproduce.js";
export { type Verification, type VerifyOptions, verify } from "./verify.js";
export { harOf } from "./write/har.js";
export { stepText } from "./write/step-text.js";
