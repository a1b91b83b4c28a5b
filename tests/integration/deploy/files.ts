import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import type { z } from "zod";
import { ROOT } from "../../fixtures.js";
import { composeSchema, manifestSchema, type statefulSetSchema } from "./schemas.js";

const PASSWORD = "only-for-the-test";

/** A process of a file in deploy/, with the values that Compose or Kubernetes would fill in. */
export interface Process {
  readonly name: string;
  /** By which names other processes reach it. */
  readonly hosts: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The path that says whether it is ready, and its port. */
  readonly health: { readonly port: number; readonly path: string };
}

const read = (file: string): string => readFileSync(join(ROOT, "deploy", file), "utf8");

export function composeProcesses(): Process[] {
  const { services } = composeSchema.parse(parse(read("compose.yaml"), { merge: true }));
  const filled = (value: string): string => value.replaceAll(/\$\{NATS_PASSWORD\}/g, PASSWORD);
  return Object.entries(services).map(([name, { command, environment = {}, healthcheck }]) => {
    const [, port, path] = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(healthcheck.test.join(" ")) ?? [];
    return {
      name,
      hosts: [name],
      args: command.map(filled),
      env: Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)])),
      health: { port: Number(port), path: path as string },
    };
  });
}

export const manifests = (): z.infer<typeof manifestSchema>[] =>
  parseAllDocuments(read("kubernetes.yaml")).map((document) => manifestSchema.parse(document.toJS()));

export function kubernetesProcesses(): Process[] {
  return manifests().flatMap((manifest) => (manifest.kind === "StatefulSet" ? podsOf(manifest) : []));
}

function podsOf({ metadata, spec }: z.infer<typeof statefulSetSchema>): Process[] {
  const [container] = spec.template.spec.containers;
  return Array.from({ length: spec.replicas }, (_, i) => {
    const name = `${metadata.name}-${i}`;
    const env: Record<string, string> = {};
    const filled = (value: string): string =>
      value.replaceAll(/\$\((\w+)\)/g, (_all, variable: string) => env[variable] ?? "missing");
    for (const variable of container.env)
      env[variable.name] =
        "value" in variable ? filled(variable.value) : "fieldRef" in variable.valueFrom ? name : PASSWORD;
    const { path, port } = container.readinessProbe.httpGet;
    return {
      ...{ name, env, hosts: [`${name}.${spec.serviceName}`] },
      args: container.args.map(filled),
      health: { port, path },
    };
  });
}

/** The settings of a section of the systemd unit, in their order. */
export function unitSettings(section: string): [string, string][] {
  const [, body = ""] =
    new RegExp(`\\[${section}\\]\\n([\\s\\S]*?)(\\n\\[|$)`).exec(read("debug-bridge.service")) ?? [];
  return body.split("\n").flatMap((line) => {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, value ?? ""]];
  });
}
