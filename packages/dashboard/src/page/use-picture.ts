import { useCallback, useEffect, useState } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import { useLook } from "./use-look.js";

interface Options {
  readonly client: DashboardApi;
  readonly session: string;
  /** Counts up with new records. */
  readonly ticks: number;
}

/** A picture of a page, taken again while somebody looks. */
export function usePicture({ client, session, ticks }: Options): {
  readonly url: string | undefined;
  readonly at: number | undefined;
  readonly problem: string | undefined;
} {
  const read = useCallback((signal: AbortSignal) => client.picture(session, signal), [client, session]);
  const { value, at, problem } = useLook(read, ticks);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!value) return;
    const made = URL.createObjectURL(value);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [value]);
  return { url, at, problem };
}
