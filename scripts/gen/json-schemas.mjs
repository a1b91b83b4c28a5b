import { wires } from "@debug-bridge/protocol/schemas";
import { z } from "zod";

/** One JSON Schema for each edge, as a receiver sees it before anything is converted. */
export async function jsonSchemas() {
  return Object.entries(wires).map(([name, { title, schema }]) => {
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "ref" });
    return [
      `schema/${name}.schema.json`,
      `${JSON.stringify({ title: `Debug Bridge. ${title}`, ...json }, null, 2)}\n`,
    ];
  });
}
