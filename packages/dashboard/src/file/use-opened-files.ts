import { useCallback, useRef, useState } from "react";
import type { Navigate } from "../layout/route.js";
import { type GivenFile, readRecording } from "./read-recording.js";
import type { RecordingFile } from "./recording-file.js";

export interface OpenedFiles {
  readonly opened: ReadonlyMap<string, RecordingFile>;
  readonly isReading: boolean;
  /** Why the last file could not be opened. */
  readonly problem: string | undefined;
  open(given: readonly GivenFile[]): void;
}

/** The files that were opened in this page. They are gone when it is left. */
export function useOpenedFiles(navigate: Navigate): OpenedFiles {
  const [opened, setOpened] = useState<ReadonlyMap<string, RecordingFile>>(new Map());
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const count = useRef(0);
  const open = useCallback(
    (given: readonly GivenFile[]) => {
      if (given.length === 0) return;
      setReading(true);
      setProblem(undefined);
      readRecording(given)
        .then((recording) => {
          const id = `${++count.current}-${recording.name}`;
          setOpened((before) => new Map(before).set(id, recording));
          navigate({ timeline: { kind: "file", id }, text: "" });
        })
        .catch((thrown: Error) => {
          setProblem(thrown.message);
          // The first page shows it.
          navigate({ text: "" });
        })
        .finally(() => setReading(false));
    },
    [navigate],
  );
  return { opened, isReading, problem, open };
}
