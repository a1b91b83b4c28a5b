/** What a driven page can do, by the names on the wire. */
export function capabilities(enableEval: boolean, captureBodies: boolean): string[] {
  return [
    ...["dom_snapshot", "dom_mutations", "ui_tree", "console", "errors", "network", "navigation", "vitals"],
    ...["screenshot", "trusted_input", "pictures"],
    ...(enableEval ? ["eval"] : []),
    ...(captureBodies ? ["network_bodies"] : []),
  ];
}
