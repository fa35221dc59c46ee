import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { health, readiness } from '@pool/contract/base/health'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../../checks/sources.ts'
import { readConfig, variableNames } from '../../server/base/configuration/config.ts'
import { stages } from './image.ts'

const OPS = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(OPS, path), 'utf8')

/** The port of smtps without one in the URL. */
const SMTPS_PORT = 465

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
/** The ranges of other doors that a taken-over product would try, with a cloud's metadata. */
const PRIVATE_4 = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
]
const PRIVATE_6 = ['fc00::/7', 'fe80::/10']
const PRIVATE = [...PRIVATE_4, ...PRIVATE_6]
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

  const policyOf = ({ spec: { template } }: Yaml): Yaml => {
    const policies = ofKind('NetworkPolicy').filter(({ spec: { podSelector } }) =>
      Object.entries(podSelector.matchLabels).every(
        ([name, value]) => template.metadata?.labels?.[name] === value,
      ),
    )
    expect(policies).toHaveLength(1)
    expect(policies[0].spec.policyTypes).toEqual(['Ingress', 'Egress'])
    return policies[0].spec
  }
  const portOf = (url = ''): number => Number(new URL(url).port || SMTPS_PORT)

  test('let a pod reach named places only', () => {
    const variables = variablesOf(pod)
    const database = portOf(variables.DATABASE_URL)
    const mail = portOf(variables.SMTP_URL)
    for (const [each, ports] of [
      // The last one is for the nodes of networks that stand apart.
      [deployment, [53, database, mail, 443, 8332]],
      [job, [53, database]],
    ] as const) {
      const { egress } = policyOf(each)
      expect(egress.map((rule: Yaml) => rule.ports[0].port)).toEqual(ports)
      const [names, ...others] = egress
      expect(names.to).toEqual([
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
          podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
        },
      ])
      for (const { to } of others) {
        expect(to.length).toBeGreaterThan(0)
        for (const { ipBlock } of to)
          if (ipBlock.cidr.endsWith('/0'))
            expect(ipBlock.except).toEqual(ipBlock.cidr.includes(':') ? PRIVATE_6 : PRIVATE_4)
          else expect(ipBlock.cidr).toMatch(/\/32$/)
      }
    }
  })

  test('let only the ingress and Prometheus reach a pod', () => {
    expect(policyOf(job).ingress).toEqual([])
    const { ingress } = policyOf(deployment)
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
  const { services, volumes, networks } = parse(read('container/compose.yml'))
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

  test('gives the owner and its network to the migration', () => {
    const { product, migration, database } = services
    expect(product.environment).not.toHaveProperty('DATABASE_OWNER_URL')
    expect(migration.environment).toHaveProperty('DATABASE_OWNER_URL')
    expect(product.depends_on).toEqual({
      migration: { condition: 'service_completed_successfully' },
    })
    expect(migration.build).toEqual(product.build)
    const [job] = documents('kubernetes/migration.yml')
    const [{ command }] = job.spec.template.spec.containers
    expect(migration.command).toEqual(command)
    // Neither the database nor the migration has a way out.
    expect(networks.inner).toEqual({ internal: true })
    for (const { networks: ways } of [database, migration]) expect(ways).toEqual(['inner'])
    expect(product.networks).toEqual(['inner', 'default'])
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
    for (const { read_only, cap_drop } of [services.product, services.migration])
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] })
    execFileSync('sh', ['-n', join(here, 'roles.sh')])
  })
})

/** The settings of a unit by name: a later line adds to an earlier one. */
const settingsOf = (unit: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(unit.matchAll(/^(\w+)=(.*)$/gm), ([, name = '']) => name)).map(
      ([name, lines]) => [name, lines?.map(([, , value]) => value).join(' ') ?? ''],
    ),
  )

describe('the units of systemd', () => {
  const OWNER = 'DATABASE_OWNER_URL'
  const serving = 'peer-lending-pool.service'
  const migrating = 'peer-lending-pool-migration.service'
  const units = [serving, migrating].map((name) => ({ name, text: read(`systemd/${name}`) }))
  const [served = {}, migrated = {}] = units.map(({ text }) => settingsOf(text))

  /** The places of docs/deploying.md. */
  const filesOf = ({ EnvironmentFile = '' }: Record<string, string>): string[] =>
    EnvironmentFile.split(' ').map((path) => {
      expect(path).toMatch(/^\/etc\/default\/peer-lending-pool(-migration)?$/)
      return path.endsWith('-migration') ? 'migration.env' : 'product.env'
    })
  const namesOf = (file: string): string[] =>
    [...read(`cluster/${file}`).matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)

  test('let the migration alone know the owner', () => {
    expect(filesOf(served)).toEqual(['product.env'])
    expect(namesOf('product.env')).not.toContain(OWNER)
    expect(served.Environment).not.toContain(OWNER)
    expect(filesOf(migrated)).toEqual(['product.env', 'migration.env'])
    expect(namesOf('migration.env')).toEqual([OWNER])
    // Its environment is closed to the user of the serving unit.
    expect(served.User).toBe('peer-lending-pool')
    expect(migrated.User).toBeUndefined()
    expect(migrated.CapabilityBoundingSet).toBe('CAP_DAC_READ_SEARCH')
  })

  test('end the migration before the product starts', () => {
    expect(migrated).toMatchObject({ Type: 'oneshot', RemainAfterExit: 'yes' })
    expect(served.Wants?.split(' ')).toContain(migrating)
    expect(served.After?.split(' ')).toContain(migrating)
    const [node, script = ''] = migrated.ExecStart?.split(' ') ?? []
    expect(node).toBe(served.ExecStart?.split(' ')[0])
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(scripts.migrate).toBe(`node ${script}`)
  })

  test('reach no private address that is not named', () => {
    expect(migrated.IPAddressDeny).toBe('any')
    expect(served.IPAddressDeny?.split(' ')).toEqual([...PRIVATE, 'multicast'])
    for (const { IPAddressAllow } of [served, migrated])
      expect(IPAddressAllow).toMatch(/^localhost /)
  })

  test('start as npm start ends, and wait for stops', () => {
    const [node, script] = served.ExecStart?.split(' ') ?? []
    expect(node).toBe(`${served.WorkingDirectory}/node_modules/.bin/node`)
    expect(read('start.mjs')).toContain(`import('./${script?.replace('ops/', '')}')`)
    const variables = [served, migrated].flatMap(({ Environment = '' }) =>
      Environment.split(' ').map((each) => each.split('=')[0] ?? ''),
    )
    expect(variables.filter((name) => !variableNames.includes(name))).toEqual([])
    const example = /^DRAIN_SECONDS=(\d+)$/m.exec(read('cluster/product.env'))?.[1] ?? ''
    expect(Number(served.TimeoutStopSec)).toBeGreaterThan(longestStop({ DRAIN_SECONDS: example }))
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
  test.skipIf(!hasSystemd)('are accepted by systemd and expose little', () => {
    const directory = mkdtempSync(join(tmpdir(), 'pool-unit-'))
    try {
      const files = units.map(({ name, text }) => {
        const file = join(directory, name)
        // The checkout stands in for the place of the installation.
        const filled = text
          .replaceAll('/opt/peer-lending-pool', ROOT.replace(/\/$/, ''))
          .replaceAll(/\{\{\w+\}\}/g, '10.0.0.1')
        writeFileSync(file, filled)
        return file
      })
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
        encoding: 'utf8',
      })
      expect([verified.status, verified.stderr]).toEqual([0, ''])
      for (const file of files) {
        const judge = ['security', '--offline=true', '--threshold=20', file]
        expect([file, spawnSync('systemd-analyze', judge).status]).toEqual([file, 0])
      }
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

test('etcd and Patroni of a cluster ask who comes', () => {
  const etcd = read('cluster/etcd.env')
  expect(etcd).not.toContain('http://')
  for (const door of ['CLIENT', 'PEER_CLIENT'])
    expect(etcd).toContain(`ETCD_${door}_CERT_AUTH=true\n`)
  // The names of places are no YAML.
  const { restapi, etcd3 } = parse(read('cluster/patroni.yml').replaceAll(/\{\{(\w+)\}\}/g, '$1'))
  expect(restapi.authentication).toEqual({ username: 'patroni', password: 'PATRONI_PASSWORD' })
  expect(etcd3).toMatchObject({ protocol: 'https', cert: 'CERTIFICATES/NAME.crt' })
})
