/** Takes as much of a core as it gets until its parent is gone. */
process.on("disconnect", () => process.exit());
const SLICE_MS = 200;

function spin() {
  const end = Date.now() + SLICE_MS;
  while (Date.now() < end);
  setImmediate(spin);
}

spin();
