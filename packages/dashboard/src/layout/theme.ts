import { useEffect, useState } from "react";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const KEY = "debug-bridge-theme";

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === value) ?? "system";
  } catch {
    return "system";
  }
}

/** The chosen theme, and a function that goes on to the next. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Without storage it holds until the page is left.
    }
  }, [theme]);
  const next = (): void => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme);
  return [theme, next];
}
