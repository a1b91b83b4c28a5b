import { z } from "zod";

/**
 * A schema of a wire without its limits on length and range, for the definition of a tool: a model pays for every word
 * of it. The command that is made from the input is checked with the full schema.
 */
export function withoutLimits(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return withoutLimits(schema.unwrap());
  if (schema instanceof z.ZodString) return z.string();
  if (schema instanceof z.ZodNumber) return z.number();
  if (schema instanceof z.ZodArray) return z.array(withoutLimits(schema.element));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(withoutLimits));
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.core.$ZodType>);
    return z.object(
      Object.fromEntries(
        fields.map(([name, field]) => {
          const loose = withoutLimits(field);
          return [name, field instanceof z.ZodOptional ? loose.optional() : loose];
        }),
      ),
    );
  }
  return schema as z.ZodType;
}
