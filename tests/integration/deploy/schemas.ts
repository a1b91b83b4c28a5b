import { z } from "zod";

/**
 * What the files in deploy/ may say, as the specifications of Compose and Kubernetes define it. Nothing else is allowed, so that a
 * misspelt field is an error here and not ignored there.
 */
const text = z.string().min(1);
const port = z.int().min(1).max(65_535);
const name = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const duration = z.string().regex(/^\d+(ms|s|m|h)$/);
const bytes = z.string().regex(/^\d+(b|k|m|g|kb|mb|gb)$/);

const service = z.strictObject({
  image: text,
  build: text.optional(),
  command: z.array(text),
  restart: z.enum(["no", "always", "on-failure", "unless-stopped"]),
  shm_size: bytes.optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[a-z0-9-]+:\/[a-z/]+$/)).optional(),
  secrets: z.array(z.strictObject({ source: name, target: text })).optional(),
  depends_on: z
    .record(name, z.strictObject({ condition: z.enum(["service_started", "service_healthy"]) }))
    .optional(),
  healthcheck: z.strictObject({
    test: z.tuple([z.literal("CMD")], text),
    interval: duration,
    timeout: duration,
    retries: z.int(),
  }),
});

export const composeSchema = z.strictObject({
  name,
  "x-nats": z.object({}),
  "x-hub": z.object({}),
  services: z.record(name, service),
  volumes: z.record(name, z.strictObject({})),
  secrets: z.record(name, z.strictObject({ file: text })),
});

const labels = z.strictObject({ app: name });
const metadata = z.strictObject({ name, labels: labels.optional() });
const selector = z.strictObject({ matchLabels: labels });
const quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const amounts = z.strictObject({
  cpu: quantity.optional(),
  memory: quantity.optional(),
  storage: quantity.optional(),
});

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith("/"), port }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
});

const variable = z.union([
  z.strictObject({ name: text, value: text }),
  z.strictObject({
    name: text,
    valueFrom: z.union([
      z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.literal("metadata.name") }) }),
      z.strictObject({ secretKeyRef: z.strictObject({ name, key: text }) }),
    ]),
  }),
]);

const container = z.strictObject({
  name,
  image: text,
  args: z.array(text),
  env: z.array(variable),
  ports: z.array(z.strictObject({ name, containerPort: port })),
  readinessProbe: probe,
  livenessProbe: probe.optional(),
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  volumeMounts: z.array(
    z.strictObject({
      name,
      mountPath: z.string().startsWith("/"),
      subPath: text.optional(),
      readOnly: z.boolean().optional(),
    }),
  ),
});

const volume = z.union([
  z.strictObject({
    name,
    emptyDir: z.strictObject({ medium: z.literal("Memory").optional(), sizeLimit: quantity.optional() }),
  }),
  z.strictObject({
    name,
    secret: z.strictObject({ secretName: name, items: z.array(z.strictObject({ key: text, path: text })) }),
  }),
]);

export const statefulSetSchema = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("StatefulSet"),
  metadata,
  spec: z.strictObject({
    serviceName: name,
    replicas: z.int(),
    podManagementPolicy: z.literal("Parallel"),
    selector,
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        terminationGracePeriodSeconds: z.int().optional(),
        securityContext: z
          .strictObject({ runAsUser: z.int(), runAsNonRoot: z.literal(true), fsGroup: z.int() })
          .optional(),
        containers: z.tuple([container]),
        volumes: z.array(volume).optional(),
      }),
    }),
    volumeClaimTemplates: z
      .array(
        z.strictObject({
          metadata,
          spec: z.strictObject({
            accessModes: z.tuple([z.literal("ReadWriteOnce")]),
            resources: z.strictObject({ requests: amounts }),
          }),
        }),
      )
      .optional(),
  }),
});

const kubernetesService = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Service"),
  metadata,
  spec: z.strictObject({
    clusterIP: z.literal("None").optional(),
    publishNotReadyAddresses: z.boolean().optional(),
    selector: labels,
    ports: z.array(z.strictObject({ name, port })),
  }),
});

const disruptionBudget = z.strictObject({
  apiVersion: z.literal("policy/v1"),
  kind: z.literal("PodDisruptionBudget"),
  metadata,
  spec: z.strictObject({ maxUnavailable: z.int(), selector }),
});

const networkPolicy = z.strictObject({
  apiVersion: z.literal("networking.k8s.io/v1"),
  kind: z.literal("NetworkPolicy"),
  metadata,
  spec: z.strictObject({
    podSelector: selector,
    policyTypes: z.tuple([z.literal("Ingress")]),
    ingress: z.array(
      z.strictObject({
        from: z.array(z.strictObject({ podSelector: selector })),
        ports: z.array(z.strictObject({ port })),
      }),
    ),
  }),
});

export const manifestSchema = z.discriminatedUnion("kind", [
  statefulSetSchema,
  kubernetesService,
  disruptionBudget,
  networkPolicy,
]);
