import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { health, readiness } from '@pool/contract/health'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../../checks/sources.ts'
import { readConfig, variableNames } from '../../server/config.ts'
import { stages } from './image.ts'

const OPS = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(OPS, path), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: the shapes are what these tests are about
type Yaml = any
const documents = (path: string): Yaml[] =>
  parseAllDocuments(read(path)).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })

/** Longest stop of a product with these variables, in seconds. */
const longestStop = (environment: Readonly<Record<string, string>>): number => {
  const { stopSeconds, drainSeconds } = readConfig(environment)
  return stopSeconds + drainSeconds
}
const stepsOf = (instruction: string): string[] =>
  stages.flatMap(({ steps }) =>
    steps.filter((step) => step.instruction === instruction).map(({ text }) => text),
  )
const imageEnvironment = Object.fromEntries(
  stepsOf('ENV').flatMap((text) => text.split(' ').map((each) => each.split('='))),
)

test('the image serves as an ordinary user on the port', () => {
  expect(stages.at(-1)?.steps.map(({ instruction }) => instruction)).toContain('USER')
  expect(stepsOf('USER')).toEqual(['node'])
  expect(stepsOf('EXPOSE')).toEqual([String(readConfig({}).port)])
  expect(Object.keys(imageEnvironment).filter((name) => !variableNames.includes(name))).toEqual([])
  // The lines of the README and CONTRIBUTING that install and build by hand.
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(stepsOf('RUN')).toContain('npm run build')
  expect(scripts.build).toBeDefined()
  expect(new Set(stages.map(({ base }) => base)).size).toBe(1)
})

describe('the files for Kubernetes', () => {
  const all = ['settings', 'migration', 'product'].flatMap((name) =>
    documents(`kubernetes/${name}.yml`),
  )
  const ofKind = (kind: string): Yaml[] => all.filter((each) => each.kind === kind)
  const [settings] = ofKind('ConfigMap')
  const [deployment] = ofKind('Deployment')
  const [job] = ofKind('Job')
  const pods = [deployment, job].map((each) => each.spec.template.spec)
  const [pod] = pods
  const [container] = pod.containers

  const secretsOf = (name: string): Yaml =>
    ofKind('Secret').find((each) => each.metadata.name === name)?.stringData
  const variablesOf = ({ containers: [{ env, envFrom }] }: Yaml): Record<string, string> => {
    const maps = envFrom.map(({ configMapRef }: Yaml) => {
      expect(configMapRef.name).toBe(settings.metadata.name)
      return settings.data
    })
    const secrets = env.map(({ name, valueFrom: { secretKeyRef } }: Yaml) => {
      const value = secretsOf(secretKeyRef.name)?.[secretKeyRef.key]
      expect([name, value]).toEqual([secretKeyRef.key, expect.any(String)])
      return [name, value]
    })
    return { ...imageEnvironment, ...Object.assign({}, ...maps), ...Object.fromEntries(secrets) }
  }

  test('give each pod variables that live mode accepts', () => {
    for (const each of pods) {
      const variables = variablesOf(each)
      expect(Object.keys(variables).filter((name) => !variableNames.includes(name))).toEqual([])
      expect(readConfig(variables)).toMatchObject({ poolMode: 'live', httpsOnly: true })
    }
    expect(Object.keys(variablesOf(pod))).not.toContain('DATABASE_OWNER_URL')
    expect(Object.keys(variablesOf(job.spec.template.spec))).toContain('DATABASE_OWNER_URL')
  })

  test('ask the health calls at the port that is served', () => {
    const { port, metrics } = readConfig(variablesOf(pod))
    const ports = Object.fromEntries(
      container.ports.map((each: Yaml) => [each.name, each.containerPort]),
    )
    expect(ports).toEqual({ http: port, metrics: metrics?.port })
    for (const [probe, { path }] of [
      ['startupProbe', health],
      // A page needs no database, whose outage no restart would end.
      ['livenessProbe', { path: '/' }],
      ['readinessProbe', readiness],
    ] as const)
      expect(container[probe].httpGet).toEqual({ path, port: 'http' })
    expect(ofKind('Service')[0].spec.ports[0].targetPort).toBe('http')
  })

  test('leave more time for a stop than it can take', () => {
    const { readinessProbe } = container
    const variables = variablesOf(pod)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(longestStop(variables))
    // A draining node is left before its port is gone.
    expect(Number(variables.DRAIN_SECONDS)).toBeGreaterThan(
      readinessProbe.periodSeconds * readinessProbe.failureThreshold,
    )
  })

  test('keep a node ready through upgrades and disruptions', () => {
    const [budget] = ofKind('PodDisruptionBudget')
    const { replicas, strategy, selector, template } = deployment.spec
    expect(replicas).toBeGreaterThan(budget.spec.minAvailable)
    expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
    for (const { matchLabels } of [selector, budget.spec.selector])
      expect(template.metadata.labels).toMatchObject(matchLabels)
    expect(template.metadata.labels).toMatchObject(ofKind('Service')[0].spec.selector)
  })

  test('let only the ingress and Prometheus reach a pod', () => {
    const [policy] = ofKind('NetworkPolicy')
    const { podSelector, policyTypes, ingress } = policy.spec
    expect(deployment.spec.template.metadata.labels).toMatchObject(podSelector.matchLabels)
    expect(policyTypes).toEqual(['Ingress'])
    expect(ingress.map(({ ports }: Yaml) => ports)).toEqual(
      container.ports.map(({ name }: Yaml) => [{ port: name }]),
    )
    // One peer with both selectors: two peers would each let others in.
    for (const { from } of ingress) {
      expect(from).toHaveLength(1)
      for (const selector of ['namespaceSelector', 'podSelector'])
        expect(Object.keys(from[0][selector].matchLabels)).toHaveLength(1)
    }
    const { trustProxy } = readConfig(variablesOf(pod))
    for (const range of trustProxy) expect(Number(range.split('/')[1] ?? 32)).toBeGreaterThan(16)
  })

  test('run as an ordinary user who writes to mounts only', () => {
    for (const each of pods) {
      expect(each.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(each.automountServiceAccountToken).toBe(false)
      const [{ securityContext, resources, volumeMounts, image }] = each.containers
      expect(image).toBe(container.image)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(Object.keys(resources.limits)).toEqual(['cpu', 'memory'])
      const { dataDir, integrityKeyFile } = readConfig(variablesOf(each))
      const mountOf = (path = '') =>
        volumeMounts.find((mount: Yaml) => path.startsWith(`${mount.mountPath}/`))
      expect(mountOf(dataDir).readOnly).toBeUndefined()
      expect(mountOf(integrityKeyFile).readOnly).toBe(true)
      expect(each.volumes.map(({ name }: Yaml) => name).sort()).toEqual(
        volumeMounts.map(({ name }: Yaml) => name).sort(),
      )
    }
  })
})

describe('the compose file', () => {
  const { services, volumes } = parse(read('container/compose.yml'))
  const fill = (environment: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\w+:\?\}/g, 'x'),
      ]),
    )

  test('gives the product variables that it accepts', () => {
    const variables = fill(services.product.environment)
    expect(Object.keys(variables).filter((name) => !variableNames.includes(name))).toEqual([])
    const { databaseUrl, port } = readConfig({ ...imageEnvironment, ...variables })
    expect(new URL(databaseUrl ?? '').hostname).toBe('database')
    expect(services.product.ports).toEqual([`127.0.0.1:${port}:${port}`])
    expect(services.product.healthcheck.test.join(' ')).toContain(`:${port}${health.path}'`)
    const grace = Number.parseInt(services.product.stop_grace_period, 10)
    expect(grace).toBeGreaterThan(longestStop(variables))
  })

  test('names files and volumes that exist', () => {
    const here = join(OPS, 'container')
    const { context, dockerfile } = services.product.build
    expect(existsSync(join(here, context, dockerfile))).toBe(true)
    for (const service of Object.values<Yaml>(services))
      for (const mount of service.volumes) {
        const [from = ''] = mount.split(':')
        expect([
          mount,
          from.startsWith('.') ? existsSync(join(here, from)) : from in volumes,
        ]).toEqual([mount, true])
      }
    expect(services.product).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    execFileSync('sh', ['-n', join(here, 'roles.sh')])
  })
})

describe('the unit of systemd', () => {
  const unit = read('systemd/peer-lending-pool.service')
  const settingOf = (name: string): string =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

  test('starts as npm start ends, and waits for stops', () => {
    const [node, script] = settingOf('ExecStart').split(' ')
    expect(node).toBe(`${settingOf('WorkingDirectory')}/node_modules/.bin/node`)
    expect(read('start.mjs')).toContain(`import('./${script?.replace('ops/', '')}')`)
    const variables = Object.fromEntries(
      settingOf('Environment')
        .split(' ')
        .map((each) => each.split('=')),
    )
    expect(Object.keys(variables).filter((name) => !variableNames.includes(name))).toEqual([])
    const example = /^DRAIN_SECONDS=(\d+)$/m.exec(read('cluster/product.env'))?.[1] ?? ''
    expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(
      longestStop({ DRAIN_SECONDS: example }),
    )
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
  test.skipIf(!hasSystemd)('is accepted by systemd and exposes little', () => {
    const directory = mkdtempSync(join(tmpdir(), 'pool-unit-'))
    try {
      const file = join(directory, 'peer-lending-pool.service')
      // The checkout stands in for the place of the installation.
      writeFileSync(file, unit.replaceAll('/opt/peer-lending-pool', ROOT.replace(/\/$/, '')))
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
      })
      expect([verified.status, verified.stderr]).toEqual([0, ''])
      const judged = spawnSync('systemd-analyze', [
        'security',
        '--offline=true',
        '--threshold=20',
        file,
      ])
      expect(judged.status).toBe(0)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
