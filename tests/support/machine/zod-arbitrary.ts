import fc from "fast-check";
import type { z } from "zod";

/** Strings that one or another schema asks for; what a schema does not accept is left out. */
const SAMPLES = [
  // a nonce, an initialisation vector, a sealed key and a public key of pairing
  "5a".repeat(32),
  "5a".repeat(12),
  "5a".repeat(48),
  `04${"5a".repeat(64)}`,
  // the id of a chat
  "01K3N7Q8R9S0T1V2W3X4Y5Z6A7",
  // the id of a picture
  "5a".repeat(16),
  "",
  "a",
  "hello",
  "e12",
  "1.0.0",
  "NaN",
  "-12n",
  "2025-10-07T12:34:56.789Z",
  "http://localhost:3000/",
  "Page.enable",
  '{"min": 100, "max": 120}',
  '["error"]',
  '[{"name": "a.txt", "text": "hello"}]',
  "true",
  "42",
  "AAAA",
  "0123456789abcdef".repeat(4),
  "a \u001b[31m line",
  "ünïcödé 😀",
];

type AnySchema = z.core.$ZodType & { safeParse(value: unknown): { success: boolean } };

/** Values that a schema accepts as input, made from its definition. Depth ends recursion. */
export function arbitraryOf(schema: z.core.$ZodType, depth = 0): fc.Arbitrary<unknown> {
  const { def } = schema._zod as unknown as { def: Record<string, never> & { type: string } };
  const inner = (child: z.core.$ZodType): fc.Arbitrary<unknown> => arbitraryOf(child, depth + 1);
  switch (def.type) {
    case "object":
      return objectOf(def as unknown as { shape: Record<string, z.core.$ZodType> }, inner);
    case "string":
      return stringOf(schema as AnySchema);
    case "number":
      return numberOf(schema as AnySchema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "literal":
      return fc.constantFrom(...(def as unknown as { values: unknown[] }).values);
    case "enum":
      return fc.constantFrom(...Object.values((def as unknown as { entries: object }).entries));
    case "union": {
      const { options } = def as unknown as { options: z.core.$ZodType[] };
      return fc.oneof(...shallow(options, depth).map(inner));
    }
    case "array":
      return arrayOf(schema as AnySchema, inner, depth);
    case "record": {
      const { keyType, valueType } = def as unknown as {
        keyType: z.core.$ZodType;
        valueType: z.core.$ZodType;
      };
      const keys = inner(keyType)
        .map(String)
        .filter((key) => key !== "__proto__");
      return fc.dictionary(keys, inner(valueType), { maxKeys: depth > 4 ? 0 : 3, noNullPrototype: true });
    }
    case "optional":
    case "default":
    case "nullable": {
      const child = inner((def as unknown as { innerType: z.core.$ZodType }).innerType);
      return def.type === "nullable" ? fc.option(child) : child;
    }
    case "pipe": {
      // What comes out of a conversion is checked again, so few random inputs would pass.
      const samples = [...SAMPLES, 0, 0.5, 1, 2, 100, 5_000];
      return fc.constantFrom(...samples.filter((sample) => (schema as AnySchema).safeParse(sample).success));
    }
    case "never":
      // Only as an optional member, which then is absent.
      return fc.constant(undefined);
    case "unknown":
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`no arbitrary for a schema of type ${def.type}`);
  }
}

function objectOf(
  { shape }: { shape: Record<string, z.core.$ZodType> },
  inner: (child: z.core.$ZodType) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const keys = Object.keys(shape);
  const required = keys.filter((key) => shape[key]?._zod.optin !== "optional");
  const model = Object.fromEntries(keys.map((key) => [key, inner(shape[key] as z.core.$ZodType)]));
  return fc.record(model, { requiredKeys: required, noNullPrototype: true });
}

function stringOf(schema: AnySchema): fc.Arbitrary<string> {
  const fits = (text: string): boolean => schema.safeParse(text).success;
  const samples = SAMPLES.filter(fits);
  const free = fits("hello") && fits("ünïcödé 😀");
  return free ? fc.oneof(fc.constantFrom(...samples), fc.string().filter(fits)) : fc.constantFrom(...samples);
}

interface CheckDef {
  readonly check: string;
  readonly value?: number;
  readonly minimum?: number;
}

function checksOf(schema: AnySchema): { format?: string; checks: CheckDef[] } {
  const { def } = schema._zod as unknown as {
    def: { format?: string; checks?: { _zod: { def: CheckDef } }[] };
  };
  return {
    ...(def.format ? { format: def.format } : {}),
    checks: (def.checks ?? []).map((check) => check._zod.def),
  };
}

function numberOf(schema: AnySchema): fc.Arbitrary<number> {
  const { format, checks } = checksOf(schema);
  const bound = (name: string, otherwise: number): number =>
    checks.find(({ check }) => check === name)?.value ?? otherwise;
  const min = bound("greater_than", -1e9);
  const max = Math.min(bound("less_than", 1e9), 1e15);
  return format
    ? fc.integer({ min, max })
    : fc.double({ min, max, noNaN: true }).map((n) => (n === 0 ? 0 : n));
}

function arrayOf(
  schema: AnySchema,
  inner: (child: z.core.$ZodType) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown[]> {
  const { element } = (schema._zod as unknown as { def: { element: z.core.$ZodType } }).def;
  const minLength = checksOf(schema).checks.find(({ check }) => check === "min_length")?.minimum ?? 0;
  return fc.array(inner(element), { minLength, maxLength: Math.max(minLength, depth > 4 ? 1 : 3) });
}

/** Beyond some depth, only the options of a union that contain no others. */
function shallow(options: z.core.$ZodType[], depth: number): z.core.$ZodType[] {
  if (depth < 6) return options;
  const plain = options.filter((option) => {
    const { def } = option._zod as unknown as {
      def: { type: string; shape?: Record<string, z.core.$ZodType> };
    };
    return def.type !== "object" || Object.values(def.shape ?? {}).every((field) => isLeaf(field));
  });
  return plain.length > 0 ? plain : options;
}

function isLeaf(field: z.core.$ZodType): boolean {
  const { def } = field._zod as unknown as { def: { type: string; innerType?: z.core.$ZodType } };
  if (def.innerType) return isLeaf(def.innerType);
  return !["union", "array", "record", "object"].includes(def.type);
}
