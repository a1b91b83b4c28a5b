const ids = (list: string): string[] => list.split(/\s+/).filter((id) => id !== "");

/** The requirements that no test shows yet; whoever builds one takes its id out. */
export const notYetBuilt: readonly string[] = [
  // the in-app bridge
  ...ids(``),
  // the launched Chrome
  ...ids(`RUN-102`),
  // the console wire
  ...ids(``),
  // the relay, the extension, execute and chat
  ...ids(`
    REL-050 REL-051 REL-052 REL-053 REL-054 REL-055 REL-056 REL-057
    REL-058 REL-059 REL-060 REL-061 REL-062
  `),
  // the design beyond
  ...ids(`
    ARC-032 ARC-065 ARC-070 ARC-079 ARC-098 ARC-106 ARC-107 ARC-108
  `),
];
