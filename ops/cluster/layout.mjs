// The machines of a cluster, their filled templates, and the services that run on each.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, NODE } from '../install.mjs'
import { PRODUCT } from '../product.mjs'
import { postgresqlAt, programAt, serviceUser } from './programs.mjs'

/** Addresses on one machine, each in place of a machine. All of 127/8 is this machine on Linux. */
const ON_LOOPBACK = {
  network: '127.0.0.0/8',
  databases: ['127.77.0.1', '127.77.0.2', '127.77.0.3'],
  products: ['127.77.0.4', '127.77.0.5'],
  front: '127.0.0.1',
  /** The network namespaces of addresses that have one. */
  namespaces: {},
}

/** Fills a template's placeholders. Throws when a value is missing. */
const fill = (template, values) =>
  readFileSync(join(import.meta.dirname, template), 'utf8').replaceAll(
    /\{\{(\w+)\}\}/g,
    (_, name) => {
      if (values[name] === undefined) throw new Error(`${template} needs ${name}.`)
      return values[name]
    },
  )

/** The variables of a filled file of environment. */
const variablesOf = (text) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const SECRETS = ['superuser', 'replication', 'rewind', 'patroni', 'owner', 'app', 'admin']

/** The passwords of a cluster, made at its first start. */
const secretsIn = (directory) => {
  const file = join(directory, 'secrets.json')
  const isNew = !existsSync(file)
  if (isNew) {
    const made = SECRETS.map((name) => [name, randomBytes(15).toString('base64url')])
    writeFileSync(file, JSON.stringify(Object.fromEntries(made)), { mode: 0o600 })
  }
  return { isNew, ...JSON.parse(readFileSync(file, 'utf8')) }
}

/** Makes the certificates of etcd, and gives each machine its own. Returns the first one. */
const giveCertificates = (directory, machines, give) => {
  const place = join(directory, 'certificates')
  mkdirSync(place, { recursive: true })
  const named = machines.map(({ name, address }) => `${name}=${address}`)
  const { status, stderr } = spawnSync(
    'sh',
    [join(import.meta.dirname, 'certificates.sh'), place, ...named],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  for (const { name, data } of machines)
    for (const file of ['ca.crt', `${name}.crt`, `${name}.key`]) {
      cpSync(join(place, file), join(data, file))
      give(join(data, file))
    }
  const [{ name }] = machines
  const read = (file) => readFileSync(join(place, file), 'utf8')
  return { ca: read('ca.crt'), cert: read(`${name}.crt`), key: read(`${name}.key`) }
}

/** Writes the files of a cluster and returns its parts. `settings` are variables of the product. */
export const layOut = ({ directory, places = ON_LOOPBACK, port, settings = {} }) => {
  // Long: one list of machines, files and services that name each other.
  const { databases, products, front, network, namespaces } = places
  const logs = join(directory, 'logs')
  mkdirSync(logs, { recursive: true })
  const secrets = secretsIn(directory)
  const adminPassword = process.env.SUPER_ADMIN_PASSWORD || secrets.admin
  const user = serviceUser()
  const postgresql = postgresqlAt()
  const url = `http://${front === '127.0.0.1' ? 'localhost' : front}:${port}`
  const values = {
    DATABASE_1: databases[0],
    DATABASE_2: databases[1],
    DATABASE_3: databases[2],
    PRODUCT_1: products[0],
    PRODUCT_2: products[1],
    FRONT: front,
    PORT: port,
    NETWORK: network,
    POSTGRESQL: postgresql,
    PUBLIC_URL: url,
    ARCHIVE_COMMAND: '/bin/true',
    SUPERUSER_PASSWORD: secrets.superuser,
    REPLICATION_PASSWORD: secrets.replication,
    REWIND_PASSWORD: secrets.rewind,
    PATRONI_PASSWORD: secrets.patroni,
    OWNER_PASSWORD: secrets.owner,
    APP_PASSWORD: secrets.app,
  }

  const give = (path) => process.getuid() === 0 && chownSync(path, user.uid, user.gid)
  const machine = (name, address) => {
    const data = join(directory, name)
    mkdirSync(data, { recursive: true })
    give(data)
    const [other1, other2] = databases.filter((each) => each !== address)
    const own = {
      ...values,
      NAME: name,
      ADDRESS: address,
      OTHER_1: other1,
      OTHER_2: other2,
      DATA: data,
      SOCKETS: data,
      CERTIFICATES: data,
    }
    return { name, address, data, values: own }
  }
  const write = ({ data, values: own }, template) => {
    const file = join(data, template)
    writeFileSync(file, fill(template, own), { mode: 0o600 })
    give(file)
    return file
  }
  const service = (kind, { name, address }, command, options, env = process.env) => ({
    name: `${kind} ${name}`,
    log: join(logs, `${kind}-${name}.log`),
    prefix: namespaces[address] ? ['ip', 'netns', 'exec', namespaces[address]] : [],
    command,
    options,
    env,
    // The product takes another user by itself.
    keepsUser: kind === 'product',
  })

  const databaseMachines = databases.map((address, index) => machine(`db-${index + 1}`, address))
  const certificate = giveCertificates(directory, databaseMachines, give)
  const productMachines = products.map((address, index) => machine(`node-${index + 1}`, address))
  const frontMachine = machine('front', front)
  const environmentOf = (each, ...files) =>
    environment({
      ...Object.assign({}, ...files.map((file) => variablesOf(fill(file, each.values)))),
      SUPER_ADMIN_PASSWORD: adminPassword,
      ...settings,
    })
  const services = [
    ...databaseMachines.flatMap((each) => [
      service('etcd', each, programAt('etcd'), [], {
        ...process.env,
        ...variablesOf(fill('etcd.env', each.values)),
      }),
      service('patroni', each, programAt('patroni'), [write(each, 'patroni.yml')]),
    ]),
    ...productMachines.flatMap((each) => {
      write(each, 'userlist.txt')
      return [
        service('haproxy', each, programAt('haproxy'), ['-f', write(each, 'haproxy-database.cfg')]),
        service('pgbouncer', each, programAt('pgbouncer'), [write(each, 'pgbouncer.ini')]),
        service('product', each, NODE, PRODUCT, environmentOf(each, 'product.env')),
      ]
    }),
    service('haproxy', frontMachine, programAt('haproxy'), [
      '-f',
      write(frontMachine, 'haproxy-product.cfg'),
    ]),
  ]
  /** The variables of the first product machine's migration, which alone has the owner's. */
  const migration = environmentOf(productMachines[0], 'product.env', 'migration.env')
  return {
    directory,
    url,
    secrets,
    user,
    databaseMachines,
    productMachines,
    services,
    migration,
    certificate,
  }
}
